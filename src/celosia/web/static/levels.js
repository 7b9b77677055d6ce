// A hierarchy as a table: values by rows, one column per level; a label is changed by writing over it.
export default {
  template: `
  <div class="table-box levels-box" tabindex="0" role="region" :aria-label="texts.caption">
  <table class="grid levels-table">
    <caption class="unseen">{{ texts.caption }}</caption>
    <thead><tr>
      <th scope="col">{{ texts.value }}</th><th scope="col" class="number">{{ texts.rows }}</th>
      <th v-for="level in levels" :key="level" scope="col">
        <span class="level-head"><span>{{ texts.level }} {{ level }}</span>
        <span class="level-tools">
        <button type="button" class="icon-button" :aria-label="texts.add + ' ' + level" :title="texts.add + ' ' + level"
            @click="$emit('add', {level: level})">+</button>
        <button v-if="levels > 1" type="button" class="icon-button" :aria-label="texts.remove + ' ' + level"
            :title="texts.remove + ' ' + level" @click="$emit('remove', {level: level})">−</button></span></span>
      </th>
    </tr></thead>
    <tbody>
      <tr v-for="row in rows" :key="row.index">
        <th scope="row">{{ row.cells[0] === '' ? texts.empty : row.cells[0] }}</th><td class="number">{{ row.rows }}</td>
        <td v-for="level in levels" :key="level">
          <input type="text" :value="row.cells[level]" :list="$.uid + '-' + level" autocomplete="off"
              :aria-label="texts.level + ' ' + level + ': ' + row.cells[0]"
              @change="edit(row, level, $event)" @keydown="go($event)">
        </td>
      </tr>
    </tbody>
  </table>
  <datalist v-for="level in levels" :key="level" :id="$.uid + '-' + level">
    <option v-for="label in labels[level] || []" :key="label" :value="label"></option></datalist>
  </div>`,
  props: {rows: Array, levels: Number, labels: Array, texts: Object},
  methods: {
    edit(row, level, event) {
      const text = event.target.value;
      if (text !== row.cells[level]) this.$emit("edit", {index: row.index, level: level, label: text});
    },
    go(event) {
      // Enter and the arrows go from row to row, as in a sheet.
      const steps = {Enter: 1, ArrowDown: 1, ArrowUp: -1};
      if (!(event.key in steps) || (event.key !== "Enter" && event.altKey)) return;
      const cell = event.target.closest("td");
      const row = cell.parentElement;
      const next = steps[event.key] > 0 ? row.nextElementSibling : row.previousElementSibling;
      if (event.key === "Enter") event.preventDefault();
      const input = next && next.children[cell.cellIndex].querySelector("input");
      if (input && (event.key === "Enter" || event.ctrlKey)) { input.focus(); input.select(); }
      else if (event.key === "Enter") event.target.blur();
    },
  },
};
