// Imported before everything else, because React reads it when it is loaded: without "production" it checks all its input, and
// a page takes more than twice as long.
process.env.NODE_ENV = process.argv.includes('--dev') ? 'development' : 'production';
