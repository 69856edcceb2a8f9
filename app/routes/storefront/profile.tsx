export default function Route() { return <main><h1>profile</h1></main>; }
