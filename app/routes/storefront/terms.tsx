export default function Route() { return <main><h1>terms</h1></main>; }
