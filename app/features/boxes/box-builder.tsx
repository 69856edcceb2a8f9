import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Piece } from '#app/parts/box-picture/box-picture.tsx';
import { useHydrated } from '#app/ui/after-hydration.ts';
import { Button, ButtonLink } from '#app/ui/button.tsx';
import { type BoxLine, type BoxPage, type BoxSize, contentsOf } from '#domain/boxes/box.ts';
import { boxesWithTaxPaise, boxSums } from '#domain/boxes/box-price.ts';
import { formatPaise } from '#domain/money.ts';
import styles from './box-builder.module.css';
import { BoxFactsList } from './box-facts-list.tsx';
import { Lid } from './lid.tsx';
import { focusPlace, Places } from './places.tsx';
import { Tray } from './tray.tsx';
import { useOpenBox, useUndoKey } from './use-open-box.ts';
import { usePieceDrag } from './use-piece-drag.ts';

export type BoxBuilderProps = {
  page: BoxPage;
  firstSize: BoxSize;
  shopName: string;
  /** A box of the cart that is to be changed; null: a new one. Known once the page is hydrated. */
  findEdited(): Omit<BoxLine, 'quantity'> | null;
  /** False when the cart cannot hold it. */
  onAdd(line: Omit<BoxLine, 'quantity'>): boolean;
  onChange(line: Omit<BoxLine, 'quantity'>): void;
};

/** The lid takes so long to close. */
const closingMs = 650;

export function BoxBuilder({ page, firstSize, shopName, findEdited, onAdd, onChange }: BoxBuilderProps) {
  const isHydrated = useHydrated();
  const box = useOpenBox(page, firstSize);
  const [search, setSearch] = useState('');
  const [isEditing, setEditing] = useState(false);
  const [vanished, setVanished] = useState(0);
  const [lid, setLid] = useState<'open' | 'closing' | 'closed'>('open');
  const builder = useRef<HTMLDivElement>(null);
  const searchField = useRef<HTMLInputElement>(null);
  const dock = useRef<HTMLDivElement>(null);
  const done = useRef<HTMLParagraphElement>(null);

  const begin = useEffectEvent(() => {
    const edited = findEdited();
    if (!edited) return box.recallDraft();
    setEditing(true);
    setVanished(box.openAgain(edited));
  });
  useEffect(() => begin(), []);
  // What had the focus is out of reach under the lid, and so is the message when the box is open again.
  const lastLid = useRef(lid);
  useEffect(() => {
    if (lid === 'closed') done.current?.focus();
    if (lid === 'open' && lastLid.current === 'closed') focusPlace(builder.current, 0);
    lastLid.current = lid;
  }, [lid]);
  useUndoKey(box.undo);
  const drag = usePieceDrag(({ productId, from }, to) => {
    if (to !== null && from !== null) box.move(from, to);
    else if (to !== null) box.add(productId, to);
    else if (from !== null) box.take(from);
  });

  const contents = contentsOf(box.places);
  const sums = boxSums(box.size, contents, box.find);
  const missing = box.places.filter((place) => place === null).length;
  const price = sums ? formatPaise(boxesWithTaxPaise(sums, 1)) : '—';

  function addSweet(productId: number, isByEnter: boolean) {
    const place = box.add(productId);
    if (place === null) return;
    // On a low screen the box may lie behind the sweets.
    if (dock.current && getComputedStyle(dock.current).position === 'sticky')
      builder.current?.querySelector(`[data-place="${place}"]`)?.scrollIntoView({ block: 'nearest' });
    if (!isByEnter) return;
    setSearch('');
    const next = box.places.findIndex((other, index) => other === null && index !== place);
    focusPlace(builder.current, next < 0 ? place : next);
  }

  function finish() {
    const line = { boxId: box.size.id, contents };
    if (isEditing) return onChange(line);
    if (!onAdd(line)) return;
    setLid('closing');
    setTimeout(() => setLid('closed'), window.matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : closingMs);
  }

  function startAgain() {
    box.startAgain();
    setLid('open');
  }

  const isOpen = lid === 'open';
  return (
    <div className={styles.builder} ref={builder} data-above-dock aria-busy={!isHydrated || undefined}>
      <fieldset className={styles.sizes} disabled={!isOpen}>
        <legend className="visually-hidden">Box size</legend>
        {page.sizes.map((size) => (
          <Button
            key={size.id}
            size="small"
            variant={size.id === box.size.id ? 'primary' : 'secondary'}
            aria-pressed={size.id === box.size.id}
            onClick={() => box.resize(size)}
          >
            {size.name} · {size.places}
          </Button>
        ))}
      </fieldset>
      {vanished > 0 && (
        <p className={styles.notice} role="status">
          {vanished === 1 ? '1 sweet can’t be had' : `${vanished} sweets can’t be had`} right now and left the box.
          Choose others for the empty places.
        </p>
      )}
      <div className={styles.stage}>
        <section className={styles.open} aria-label="Your box" inert={!isOpen || undefined}>
          <Lid state={lid} shopName={shopName}>
            <Places
              box={box}
              drag={drag}
              onType={(letter) => {
                setSearch(letter);
                searchField.current?.focus();
              }}
            />
          </Lid>
        </section>
        {lid === 'closed' ? (
          <div className={styles.done}>
            <p ref={done} tabIndex={-1}>
              Added 1x {box.size.name} to cart
            </p>
            <ButtonLink variant="primary" to="/cart">
              View cart
            </ButtonLink>
            <Button onClick={startAgain}>Build another</Button>
          </div>
        ) : (
          <div className={styles.actions} data-chosen={box.chosen === null ? undefined : ''}>
            <p className={styles.hint}>{hintOf(box, missing)}</p>
            {box.chosen !== null && box.places[box.chosen] !== null && (
              <Button size="small" onClick={() => box.chosen !== null && box.take(box.chosen)}>
                Remove
              </Button>
            )}
            <Button size="small" variant="text" disabled={!box.canUndo} onClick={box.undo}>
              Undo
            </Button>
            <Button size="small" variant="text" disabled={box.isEmpty} onClick={box.clear}>
              Empty the box
            </Button>
          </div>
        )}
      </div>
      <div className={styles.dock} ref={dock} data-is-open={isOpen ? '' : undefined}>
        <Tray
          box={box}
          sweets={page.sweets}
          drag={drag}
          search={search}
          onSearch={setSearch}
          searchRef={searchField}
          onAdd={addSweet}
          onLeave={() => {
            setSearch('');
            focusPlace(builder.current, box.chosen ?? Math.max(box.places.indexOf(null), 0));
          }}
        />
        <div className={styles.buy}>
          <p className={styles.price}>
            <b>{price}</b>
            <span>
              incl. GST · {box.places.length - missing} of {box.places.length}
            </span>
          </p>
          {box.isFull ? (
            <Button variant="primary" onClick={finish}>
              {isEditing ? 'Save changes' : 'Add to cart'}
            </Button>
          ) : (
            <Button onClick={box.fillRest}>{box.isEmpty ? 'Suggest a box' : 'Fill the rest'}</Button>
          )}
        </div>
      </div>
      <div className={styles.about}>
        <h2>In your box</h2>
        <BoxFactsList box={box} size={box.size} />
      </div>
      <p className="visually-hidden" role="status" key={box.said.count % 2}>
        {box.said.text}
      </p>
      {drag.dragging && <Ghost of={box.find(drag.dragging.productId)} place={drag.ghost} />}
    </div>
  );
}

type GhostProps = { of: Parameters<typeof Piece>[0]['of'] | undefined; place: React.Ref<HTMLDivElement> };

/** The piece under the pointer. */
function Ghost({ of, place }: GhostProps) {
  return (
    <div className={styles.ghost} ref={place} aria-hidden="true">
      {of && <Piece of={of} />}
    </div>
  );
}

function hintOf({ chosen, places, find }: ReturnType<typeof useOpenBox>, missing: number): string {
  if (chosen !== null) {
    const name = find(places[chosen] ?? 0)?.name;
    return name ? `Place ${chosen + 1}: ${name}. Pick another sweet to swap it.` : `Place ${chosen + 1}: pick a sweet.`;
  }
  if (missing === 0) return 'Your box is full. Tap a sweet in it to change it.';
  if (missing === places.length) return 'Tap a sweet, or drag it into the box.';
  return missing === 1 ? '1 place left.' : `${missing} places left.`;
}
