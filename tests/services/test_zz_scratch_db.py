import polars as pl, pytest, numpy as np, traceback
from celosia.project import make_project
from celosia.run import run_project
from test_sql_tables import load
N=150_000
def big():
    rng=np.random.default_rng(1)
    return pl.DataFrame({"id":np.arange(N),"name":[f"N{i}" for i in range(N)],"pay":rng.integers(900,9000,N),"sex":rng.choice(["f","m"],N)})
@pytest.mark.parametrize("what",["weak","shuffle","kept","kept-op"])
def test_x(database, what, tmp_path):
    load(database,big())
    ops={"weak":{"name":"hash","salt":None} ,"shuffle":"shuffle"}
    cols={"id":"common","name":{"role":"identifier"},"pay":"common","sex":"common"}
    extra={}
    if what=="weak": cols["name"]={"role":"identifier","operation":"hash"}
    if what=="shuffle": cols["pay"]={"operation":"shuffle"}
    if what=="kept": extra={"order":"kept"}
    if what=="kept-op":
        extra={"order":"kept"}; cols["pay"]={"operation":{"name":"round","to":100}}
    p=make_project(kind="light",tables={"people":{"source":{"path":database.address,"table":"people"},"destination":{"table":"safe"},"columns":cols,**extra}})
    r=run_project(p)["people"]
    print(r.written)
    ids=[x for (x,) in database.query("select id from safe")]
    print("ordered", ids==sorted(ids), len(ids))
    q="select sum(pay), count(*) from "
    print(database.query(q+"people"), database.query(q+"safe"))
