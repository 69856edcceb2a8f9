// Tests use what the pinned Node has: under an older one some fail, and their errors are not even shown. Loaded by the
// configuration of both kinds of tests, under any Node.
const wanted = 24;

if (Number(process.versions.node.split('.')[0]) < wanted)
  throw new Error(
    `Tests need Node ${wanted}, and this is ${process.versions.node}. Start them with npx, which uses the pinned one, or put node_modules/.bin first on your PATH.`,
  );
