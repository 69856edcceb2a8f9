export default function Route() { return <main><h1>product</h1></main>; }
