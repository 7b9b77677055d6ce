// A file is sent to the service as it is, with progress and a way to stop; mistakes are shown as sentences.
export default {
  template: `
  <div :class="['upload', {'upload-small': small, 'upload-over': over}]"
       @dragenter.prevent="over = true" @dragover.prevent="over = true" @dragleave="over = false" @drop.prevent="drop">
    <div v-if="!sending" class="upload-choose">
      <span v-if="!small" class="upload-hint">{{ texts.drop }}</span>
      <label :class="['upload-button', {'upload-quiet': !primary}]">
        <input ref="input" type="file" :accept="accept" @change="pick">
        <span>{{ texts.choose }}</span>
      </label>
      <span v-if="texts.limits && !small" class="upload-limits">{{ texts.limits }}</span>
    </div>
    <div v-else class="upload-progress">
      <span>{{ texts.sending }} <strong>{{ file.name }}</strong></span>
      <progress max="1" :value="share" :aria-label="texts.progress"></progress>
      <span class="upload-line"><span>{{ Math.round(share * 100) }} %</span>
      <button type="button" class="plain-button" @click="stop">{{ texts.cancel }}</button></span>
    </div>
    <div v-if="note" class="upload-limits" aria-hidden="true">{{ note }}</div>
    <div v-if="asks" class="upload-asks" role="alert">
      <span><strong>{{ file.name }}</strong> {{ texts.exists }}</span>
      <button type="button" class="plain-button" @click="send(true)">{{ texts.replace }}</button>
      <button type="button" class="plain-button" @click="asks = false">{{ texts.cancel }}</button>
    </div>
    <div v-if="mistake" class="mistake" role="alert">
      <div class="mistake-what">{{ mistake.what }}</div>
      <div v-if="mistake.where" class="mistake-where">{{ mistake.where }}</div>
      <div v-if="mistake.remedy">{{ mistake.remedy }}</div>
    </div>
    <span class="unseen" role="status" aria-live="polite">{{ said }}</span>
  </div>`,
  props: {url: String, csrf: String, texts: Object, taken: Array, accept: String, small: Boolean, primary: Boolean},
  data() { return {over: false, sending: false, share: 0, file: null, asks: false, mistake: null, said: "", note: ""}; },
  methods: {
    pick(event) { this.take(event.target.files); event.target.value = ""; },
    drop(event) { this.over = false; this.take(event.dataTransfer.files); },
    take(files) {
      if (!files.length || this.sending) return;
      this.file = files[0];
      this.mistake = null;
      this.note = "";
      this.asks = (this.taken || []).includes(this.file.name);
      if (!this.asks) this.send(false);
    },
    send(replace) {
      this.asks = false;
      const request = new XMLHttpRequest();
      const ending = (this.file.name.match(/\.[^.]*$/) || [""])[0].toLowerCase();
      const address = this.url.replace("{name}", encodeURIComponent(this.file.name))
        .replace("{ending}", encodeURIComponent(ending));
      request.open("PUT", address + (replace ? "?replace=true" : ""));
      request.setRequestHeader("X-CSRF-Token", this.csrf);
      request.setRequestHeader("Content-Type", "application/octet-stream");
      request.upload.onprogress = event => {
        if (!event.lengthComputable) return;
        const before = Math.floor(this.share * 4);
        this.share = event.loaded / event.total;
        if (Math.floor(this.share * 4) !== before) this.said = Math.round(this.share * 100) + " %";
      };
      request.onload = () => this.answer(request);
      request.onerror = () => this.fail({what: this.texts.lost});
      request.onabort = () => { this.sending = false; this.said = this.note = this.texts.stopped; };
      this.request = request;
      this.share = 0;
      this.sending = true;
      this.said = this.texts.sending + " " + this.file.name;
      request.send(this.file);
    },
    stop() { if (this.request) this.request.abort(); },
    answer(request) {
      let found = null;
      try { found = JSON.parse(request.responseText); } catch (error) { /* no JSON is no answer of ours */ }
      if (request.status >= 200 && request.status < 300 && found) {
        this.sending = false;
        this.said = this.texts.sent;
        this.$emit("uploaded", {name: found.name});
      } else {
        this.fail((found && found.error) || {what: this.texts.lost});
      }
    },
    fail(mistake) { this.sending = false; this.mistake = mistake; this.said = ""; },
  },
};
