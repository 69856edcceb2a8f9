import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Todo } from '#contracts/console/dashboard.ts';
import { cappedCount } from '../data/todo-counts.ts';
import { type TodoTile, todoTiles } from './dashboard-data.ts';
import styles from './todo-tiles.module.css';

/** What is to be done, each with the way there; without its number while that is unknown. */
export function TodoTiles({ todo }: { todo: UseQueryResult<Todo> }) {
  return (
    <ul className={styles.todo} aria-label="To do">
      {todoTiles.map((tile) => (
        <li key={tile.key}>
          {todo.data ? (
            <Tile tile={tile} todo={todo.data} />
          ) : (
            <Link to={tile.to}>
              <b>{todo.isPending ? '…' : '—'}</b>
              <span>{tile.title}</span>
            </Link>
          )}
        </li>
      ))}
    </ul>
  );
}

type TileProps = { tile: TodoTile; todo: Todo };

function Tile({ tile: { key, title, to, isUrgent, amount, note }, todo }: TileProps) {
  const count = todo[key];
  if (count === 0)
    return (
      <Link to={to} data-none>
        <b>0</b>
        <span>{title}</span>
      </Link>
    );
  return (
    <Link to={to} data-urgent={(typeof isUrgent === 'function' ? isUrgent(todo) : isUrgent) || undefined}>
      <b>{amount?.(todo) ?? cappedCount(count)}</b>
      <span>{title}</span>
      {note && <small>{note(todo)}</small>}
    </Link>
  );
}
