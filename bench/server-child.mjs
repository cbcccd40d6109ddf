// What the servers of the benches tell the process that started them: their port, and their CPU time when asked.

/** @param {number} port */
export function answerUsage(port) {
  process.on("message", () => {
    const { user, system } = process.cpuUsage();
    process.send?.({ cpuMicroseconds: user + system });
  });
  process.on("disconnect", () => process.exit());
  process.send?.({ port });
}
