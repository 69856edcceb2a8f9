import { useId } from 'react';
import { Button } from '#app/ui/button.tsx';
import { controlProps, Field } from '#app/ui/field.tsx';
import { Select } from '#app/ui/select.tsx';
import { Stepper } from '#app/ui/stepper.tsx';
import { defaultSize, maxQuantity, type Size } from '#domain/cart/cart.ts';
import type { Box, BoxLine } from '#domain/groups/group-draft.ts';
import { boxLetters } from '#domain/groups/recipient.ts';
import { formatPaise } from '#domain/money.ts';
import styles from './box-editor.module.css';
import type { BoxProduct } from './group-backend.ts';

export type BoxEditorProps = {
  boxes: Box[];
  products: readonly BoxProduct[];
  onChange(boxes: Box[]): void;
};

const mostLines = 20;

/** What is in the parcels: one kind for everybody, or a few, each called by a letter. */
export function BoxEditor({ boxes, products, onChange }: BoxEditorProps) {
  const replace = (place: number, box: Box) => onChange(boxes.map((one, index) => (index === place ? box : one)));
  return (
    <>
      <ul className={styles.boxes}>
        {boxes.map((box, place) => (
          <li key={boxLetters[place]}>
            <OneBox
              letter={boxLetters[place] ?? ''}
              box={box}
              products={products}
              onChange={(next) => replace(place, next)}
              onRemove={place > 0 && place === boxes.length - 1 ? () => onChange(boxes.slice(0, -1)) : undefined}
            />
          </li>
        ))}
      </ul>
      {boxes.length < boxLetters.length && (boxes.at(-1)?.length ?? 0) > 0 && (
        <Button size="small" className={styles.another} onClick={() => onChange([...boxes, []])}>
          Add another kind of box
        </Button>
      )}
    </>
  );
}

type OneBoxProps = {
  letter: string;
  box: Box;
  products: readonly BoxProduct[];
  onChange(box: Box): void;
  onRemove: (() => void) | undefined;
};

function OneBox({ letter, box, products, onChange, onRemove }: OneBoxProps) {
  const ids = useId();
  const adding = { id: `${ids}-add`, label: `Add to box ${letter}` };
  const left = products.filter(({ id, hasSize }) => {
    const sizes = box.filter((line) => line.productId === id).length;
    return hasSize ? sizes < 2 : sizes === 0;
  });
  const change = (place: number, line: BoxLine) => onChange(box.map((one, index) => (index === place ? line : one)));

  function add(id: number) {
    const isThere = box.some((line) => line.productId === id && line.size === defaultSize);
    onChange([...box, { productId: id, size: isThere ? 1000 : defaultSize, quantity: 1 }]);
  }

  return (
    <section className={styles.box} aria-labelledby={`${ids}-title`}>
      <h3 id={`${ids}-title`}>
        Box {letter}
        {onRemove && (
          <Button variant="text" size="small" onClick={onRemove}>
            Remove<span className="visually-hidden"> box {letter}</span>
          </Button>
        )}
      </h3>
      {box.length > 0 && (
        <ul className={styles.lines}>
          {box.map((line, place) => {
            const product = products.find(({ id }) => id === line.productId);
            const name = product?.name ?? 'No longer available';
            return (
              <li key={`${line.productId} ${line.size}`}>
                <span className={styles.what}>
                  {name}
                  {product && (
                    <small>
                      {product.hasSize
                        ? `${formatPaise(product.pricePaise)} per 500 g`
                        : formatPaise(product.pricePaise)}
                    </small>
                  )}
                </span>
                {product?.hasSize && (
                  <Select
                    isSmall
                    aria-label={`Size of ${name}`}
                    value={String(line.size)}
                    options={sizesFor(box, line)}
                    onChange={(size) => change(place, { ...line, size: Number(size) === 1000 ? 1000 : 500 })}
                  />
                )}
                <Stepper
                  value={line.quantity}
                  min={0}
                  max={maxQuantity}
                  label={`Quantity of ${name}`}
                  onChange={(quantity) =>
                    quantity === 0
                      ? onChange(box.filter((_, index) => index !== place))
                      : change(place, { ...line, quantity })
                  }
                />
              </li>
            );
          })}
        </ul>
      )}
      {box.length < mostLines && (
        <Field {...adding}>
          <Select
            {...controlProps(adding)}
            value=""
            options={[
              { value: '', label: box.length === 0 ? 'Choose an item…' : 'Choose another item…' },
              ...left.map(({ id, name, pricePaise }) => ({
                value: String(id),
                label: `${name} · ${formatPaise(pricePaise)}`,
              })),
            ]}
            onChange={(id) => id && add(Number(id))}
          />
        </Field>
      )}
    </section>
  );
}

/** A size that the box has of it already cannot be chosen twice. */
function sizesFor(box: Box, line: BoxLine) {
  const isOther = (size: Size) =>
    box.some((one) => one !== line && one.productId === line.productId && one.size === size);
  return [
    { value: '500', label: '500 g' },
    { value: '1000', label: '1 kg' },
  ].filter(({ value }) => !isOther(Number(value) === 1000 ? 1000 : 500));
}
