// Preloaded into the shop by tests: SIGUSR2 collects garbage, so that a test sees what the heap really holds.
require('node:v8').setFlagsFromString('--expose-gc');
const collect = require('node:vm').runInNewContext('gc');
process.on('SIGUSR2', () => collect({ type: 'major', execution: 'sync', flavor: 'last-resort' }));
