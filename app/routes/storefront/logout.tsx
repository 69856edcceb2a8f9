export default function Route() { return <main><h1>logout</h1></main>; }
