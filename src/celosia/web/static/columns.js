// The columns of a table: what they hold, and selects for what they are.
export default {
  template: `
  <div class="table-box" tabindex="0" role="region" :aria-label="texts.caption">
  <table class="grid columns-table">
    <caption class="unseen">{{ texts.caption }}</caption>
    <thead><tr>
      <th scope="col">{{ texts.column }}</th><th scope="col">{{ texts.type }}</th>
      <th scope="col">{{ texts.values }}</th><th scope="col">{{ texts.role }}</th>
      <th scope="col">{{ texts.why }}</th><th scope="col">{{ texts.fate }}</th>
    </tr></thead>
    <tbody>
      <tr v-for="column in columns" :key="column.name">
        <th scope="row">{{ column.name }}</th>
        <td><select :aria-label="texts.type + ': ' + column.name" :value="column.type"
              @change="$emit('type', {column: column.name, type: $event.target.value})">
            <option v-for="each in types" :key="each[0]" :value="each[0]">{{ each[1] }}</option></select></td>
        <td class="values"><span>{{ column.distinct }}<span v-if="column.missing">, {{ column.missing }}</span></span>
            <span class="examples" :title="column.examples">{{ column.examples }}</span></td>
        <td><select :class="['role-select', 'role-' + column.role, {proposed: !column.declared}]"
              :aria-label="texts.role + ': ' + column.name" :value="column.role"
              @change="$emit('role', {column: column.name, role: $event.target.value})">
            <option v-for="each in roles" :key="each[0]" :value="each[0]">{{ each[1] }}</option></select>
            <span v-if="!column.declared" class="tag">{{ texts.proposed }}</span></td>
        <td class="why">{{ column.why }}</td>
        <td class="fate"><span>{{ column.fate }}</span>
          <button v-if="column.role !== 'quasi-identifier' || column.masked" type="button" class="plain-button"
              :aria-label="texts.change + ': ' + column.name"
              @click="$emit('operation', {column: column.name})">{{ texts.change }}</button></td>
      </tr>
    </tbody>
  </table></div>`,
  props: {columns: Array, texts: Object, types: Array, roles: Array},
};
