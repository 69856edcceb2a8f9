// Required before a shop starts: when it ends it writes down which files of packages it has run.
process.on('exit', () => {
  const run = Object.values(require.cache).filter(({ loaded }) => loaded);
  require('node:fs').writeFileSync(process.env.PACKAGES_TO, run.map(({ filename }) => filename).join('\n'));
});
