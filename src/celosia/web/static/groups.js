// The groups of a level: labels are dragged from one to another, or chosen and moved by a button.
export default {
  template: `
  <div class="board">
    <div class="board-bar" role="group" :aria-label="texts.moving">
      <span aria-live="polite">{{ count }} {{ texts.chosen }}</span>
      <label class="field">{{ texts.target }}
        <select v-model="target"><option value="">{{ texts.fresh }}</option>
          <option v-for="name in names" :key="name" :value="name">{{ name }}</option></select></label>
      <label v-if="target === ''" class="field">{{ texts.name }} <input type="text" v-model="fresh" @keydown.enter="go"></label>
      <button type="button" class="plain-button strong" :disabled="!count || !(target || fresh.trim())" @click="go">
        {{ texts.move }}</button>
    </div>
    <ul class="board-groups">
      <li v-for="group in groups" :key="group.label" :class="['board-group', {'board-over': over === group.label}]"
          @dragenter.prevent="over = group.label" @dragover.prevent="over = group.label"
          @dragleave="leave($event)" @drop.prevent="drop(group.label)">
        <div class="board-head">
          <input type="text" :value="group.label" :aria-label="texts.rename + ' ' + group.label"
              @change="rename(group.label, $event)" @keydown.enter="$event.target.blur()">
          <span class="board-count">{{ group.told }}</span>
        </div>
        <ul class="board-items">
          <li v-for="item in group.items" :key="item.label">
            <label class="board-item" draggable="true" @dragstart="drag(item.label, $event)" @dragend="over = null">
              <input type="checkbox" :value="item.label" v-model="chosen">
              <span class="board-label">{{ item.label }}</span><span class="board-count">{{ item.told }}</span>
            </label>
          </li>
          <li v-if="group.more" class="board-more">{{ group.more }}</li>
        </ul>
      </li>
      <li :class="['board-group', 'board-new', {'board-over': over === true}]"
          @dragenter.prevent="over = true" @dragover.prevent="over = true" @dragleave="leave($event)"
          @drop.prevent="drop(null)">{{ texts.dropNew }}</li>
    </ul>
  </div>`,
  props: {groups: Array, names: Array, texts: Object},
  data() { return {chosen: [], target: "", fresh: "", over: null, dragged: []}; },
  computed: { count() { return this.chosen.length; } },
  watch: {
    groups() {
      const all = new Set(this.groups.flatMap(group => group.items.map(item => item.label)));
      this.chosen = this.chosen.filter(label => all.has(label));
      if (this.target && !this.names.includes(this.target)) this.target = "";
    },
  },
  methods: {
    drag(label, event) {
      this.dragged = this.chosen.includes(label) ? [...this.chosen] : [label];
      event.dataTransfer.setData("text/plain", label);
      event.dataTransfer.effectAllowed = "move";
    },
    leave(event) { if (!event.currentTarget.contains(event.relatedTarget)) this.over = null; },
    drop(group) {
      this.over = null;
      if (this.dragged.length) this.send(this.dragged, group === null ? "" : group);
      this.dragged = [];
    },
    go() {
      const group = this.target || this.fresh.trim();
      if (!this.chosen.length || !group) return;
      this.send([...this.chosen], group);
      this.fresh = "";
    },
    send(labels, group) { this.chosen = []; this.$emit("move", {labels: labels, group: group}); },
    rename(old, event) {
      const name = event.target.value.trim();
      if (name && name !== old) this.$emit("rename", {old: old, new: name}); else event.target.value = old;
    },
  },
};
