// A page whose session has ended goes to the sign-in, instead of trying to reconnect for ever.
const waiting = setInterval(() => {
  if (!window.socket) return;
  clearInterval(waiting);
  window.socket.on("connect_error", async () => {
    try {
      const answer = await fetch("/api/v1/session");
      if (answer.status === 401) location.reload();
    } catch {
      // The service itself is away: it comes back, or it does not.
    }
  });
}, 300);
