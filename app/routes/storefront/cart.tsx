export default function Route() { return <main><h1>cart</h1></main>; }
