"""The pages of data and hierarchies: what a person declares there is what the document says."""

import json


def sampled(visitor, name):
    """A project with the sample table, all roles as proposed; gives its id."""
    project = visitor.project(name)
    visitor.button("Try it with the sample table").click()
    visitor.button("Accept the proposals").click()
    visitor.button("Next: hierarchies").wait_for()
    return project


def columns_of(site, project):
    """What the document says of the columns of the sample."""
    found = site.signed_in().get(f"/projects/{project}").json()["document"]
    return found["tables"]["discharges"]["columns"], found


def test_roles_types_and_operations_go_into_the_document(site, visitor):
    page = visitor.page
    project = sampled(visitor, "Roles")
    page.get_by_label("Role: severity").select_option("common")
    page.get_by_label("Type: postcode").select_option("integer")
    page.get_by_label("Change: national_id").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Operation").click()
    page.get_by_role("option", name="Pseudonymize", exact=True).click()
    visitor.shot("operation")
    dialog.get_by_label("Length").fill("3")
    visitor.button("Apply").click()
    dialog.get_by_role("alert").wait_for()
    dialog.get_by_label("Length").fill("20")
    visitor.button("Apply").click()
    page.get_by_text("replaced by pseudonyms of 20 characters").wait_for()
    columns, document = columns_of(site, project)
    assert columns["severity"] == "common"
    assert columns["postcode"] == {"role": "quasi-identifier", "type": "integer"}
    assert columns["national_id"]["operation"] == {"name": "pseudonymize", "length": 20}
    assert document["keys"] == {"default": {"file": "keys/default.key"}}


def test_a_file_that_is_no_table_is_refused_in_a_sentence_and_a_second_table_is_added(visitor, tmp_path):
    page = visitor.page
    odd, plain = tmp_path / "people.odd", tmp_path / "visits.csv"
    odd.write_text("?")
    plain.write_text("39, Lugo\n" * 40 + "50, Vigo\n" * 40)  # its first row names no columns
    visitor.project("Two tables")
    visitor.is_lenient = True
    visitor.field("Choose a file").set_input_files(odd)
    page.get_by_role("alert").get_by_text("files that end in '.odd' are not known").wait_for()
    visitor.is_lenient = False
    visitor.button("Try it with the sample table").click()
    visitor.button("Accept the proposals").wait_for()
    visitor.button("Add a table").click()
    visitor.field("Choose a file").set_input_files(plain)
    page.get_by_role("link", name="visits", exact=True).wait_for()
    page.get_by_label("Role: column_2").wait_for()
    visitor.button("Remove").click()
    page.get_by_role("dialog").get_by_role("button", name="Remove", exact=True).click()
    page.get_by_role("link", name="visits", exact=True).wait_for(state="detached")


def test_a_hierarchy_is_edited_by_writing_dragging_and_choosing_and_saved(site, visitor):
    page = visitor.page
    project = sampled(visitor, "Hierarchies")
    visitor.button("Next: hierarchies").click()
    page.get_by_role("navigation", name="Quasi-identifiers").get_by_role("button", name="occupation").click()
    cell = page.get_by_label("Level 1: cook", exact=True)
    cell.fill("kitchen")
    cell.press("Enter")
    visitor.button("Save changes").wait_for()
    page.get_by_role("tab", name="Groups").click()
    kitchen = page.locator(".board-group").filter(has=page.get_by_label("Name of group kitchen", exact=True))
    others = page.locator(".board-group").filter(
        has=page.get_by_label("Name of group not active", exact=True)
    )
    page.locator(".board-item", has_text="farmer").drag_to(others.locator(".board-head"))
    others.get_by_text("farmer", exact=True).wait_for()
    page.get_by_role("checkbox", name="driver").check()
    page.get_by_label("Move to").select_option("kitchen")
    visitor.button("Move").click()
    kitchen.get_by_text("driver", exact=True).wait_for()
    visitor.shot("groups")
    visitor.button("Undo").click()
    kitchen.get_by_text("driver", exact=True).wait_for(state="detached")
    page.get_by_role("tab", name="Table").click()
    page.get_by_label("Remove level 2").click()
    page.get_by_text("add a last level '*'").wait_for()
    visitor.shot("warning")
    visitor.button("Add the level").click()
    visitor.text("Nothing is wrong with it.").wait_for()
    visitor.button("Save changes").click()
    visitor.button("Next: privacy goals").wait_for()
    rows = site.signed_in().get(f"/projects/{project}/hierarchies/occupation").json()["rows"]
    assert [row[0] for row in rows if row[1] == "kitchen"] == ["cook"]
    assert next(row[1] for row in rows if row[0] == "farmer") == "not active"
    assert {row[-1] for row in rows} == {"*"}
    assert columns_of(site, project)[0]["occupation"]["hierarchy"] == "hierarchies/occupation.csv"


def test_a_hierarchy_is_built_imported_and_exported(visitor, tmp_path):
    page = visitor.page
    sampled(visitor, "Built")
    visitor.button("Next: hierarchies").click()
    page.get_by_role("navigation", name="Quasi-identifiers").get_by_role(
        "button", name="age", exact=False
    ).first.click()
    visitor.button("Build by rule").click()
    visitor.field("Intervals at the finest level, at most").fill("4")
    visitor.button("Build").click()
    visitor.button("Save changes").click()
    visitor.button("Next: privacy goals").wait_for()
    tree = {"value": "*", "children": [{"value": "known", "children": [{"value": "F"}, {"value": "M"}]}]}
    (tmp_path / "sex.json").write_text(json.dumps(tree))
    page.get_by_role("navigation", name="Quasi-identifiers").get_by_role("button", name="sex").click()
    page.get_by_role("heading", name="sex", exact=True).wait_for()
    visitor.field("Import a file").set_input_files(tmp_path / "sex.json")
    visitor.text("Imported and saved").wait_for()
    with page.expect_download() as downloaded:
        visitor.button("Export").click()
    assert downloaded.value.suggested_filename == "sex.csv"
    downloaded.value.save_as(tmp_path / "sex.csv")
    assert (tmp_path / "sex.csv").read_text().splitlines() == ["F;known;*", "M;known;*"]


def test_a_file_of_an_office_is_read_and_what_is_open_is_asked_about(site, visitor, tmp_path):
    page = visitor.page
    table = tmp_path / "clientes.csv"
    rows = "".join(f"Cádiz;0{1 + n % 9}/0{1 + n % 7}/2020;{1000 + n},50\n" for n in range(60))
    table.write_bytes(("ciudad;visita;salario\n" + rows).encode("latin-1"))
    project = visitor.project("Clients")
    visitor.field("Choose a file").set_input_files(table)
    page.get_by_text("the dates of column 'visita' may have the day or the month first").first.wait_for()
    page.get_by_text("decimal comma").first.wait_for()
    visitor.shot("reading")
    page.get_by_label("Dates", exact=True).click()
    page.get_by_role("option", name="day first", exact=True).click()
    visitor.button("Read it so").click()
    page.get_by_text("dates with the day first").first.wait_for(state="attached")
    document = site.signed_in().get(f"/projects/{project}").json()["document"]
    assert document["tables"]["clientes"]["source"]["date_format"] == "day-first"
    page.get_by_label("Type: visita").select_option("date")
    page.get_by_label("Type: salario").wait_for()
