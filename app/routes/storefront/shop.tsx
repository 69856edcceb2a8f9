export default function Route() { return <main><h1>shop</h1></main>; }
