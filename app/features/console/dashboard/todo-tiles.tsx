import { Link } from 'react-router';
import { calendarDay } from '#domain/time.ts';
import { cappedCount } from '../todo-counts.ts';
import { type Todo, type TodoTile, todoTiles } from './dashboard-data.ts';
import styles from './todo-tiles.module.css';

/** What waits for somebody, each with the way there; null: not known yet. */
export function TodoTiles({ todo }: { todo: Todo | null }) {
  const today = calendarDay(new Date());
  return (
    <ul className={styles.todo} aria-label="To do">
      {todoTiles.map((tile) => (
        <li key={tile.key}>
          {todo ? (
            <Tile tile={tile} todo={todo} today={today} />
          ) : (
            <Link to={tile.to}>
              <b>…</b>
              <span>{tile.title}</span>
            </Link>
          )}
        </li>
      ))}
    </ul>
  );
}

type TileProps = { tile: TodoTile; todo: Todo; today: string };

function Tile({ tile: { key, title, to, isUrgent, amount, note }, todo, today }: TileProps) {
  const count = todo[key];
  if (count === 0)
    return (
      <Link to={to} data-none>
        <b>0</b>
        <span>{title}</span>
      </Link>
    );
  return (
    <Link to={to} data-urgent={isUrgent || undefined}>
      <b>{amount?.(todo) ?? cappedCount(count)}</b>
      <span>{title}</span>
      {note && <small>{note(todo, today)}</small>}
    </Link>
  );
}
