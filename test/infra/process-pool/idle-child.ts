// A process that runs and never says that it is ready.
setInterval(() => {}, 1_000);
