// Imported before everything else, because React asks when it is loaded: where nobody says that this is no development, it
// checks all it is given and a page takes more than twice as long.
process.env.NODE_ENV = process.argv.includes('--dev') ? 'development' : 'production';
