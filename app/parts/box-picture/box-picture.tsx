import type { CSSProperties, ReactNode, Ref } from 'react';
import { type BoxSweet, columnsOf, type Place } from '#domain/boxes/box.ts';
import styles from './box-picture.module.css';

export type PieceLook = Pick<BoxSweet, 'image' | 'pieceImage'>;

/** One piece: the shop's drawing of it, or its photograph cut round. */
export function Piece({ of, className }: { of: PieceLook; className?: string | undefined }) {
  const look = of.pieceImage ? styles.piece : styles.cutRound;
  return (
    <img
      className={className ? `${look} ${className}` : look}
      src={of.pieceImage || of.image || '/images/logo-mark.svg'}
      alt=""
      width={96}
      height={96}
      draggable={false}
    />
  );
}

/** The paper cup of a place, with what lies in it. */
export function Cup({ children }: { children: ReactNode }) {
  return <span className={styles.cup}>{children}</span>;
}

/** Places by their number, which is all the name they have. */
export const numbered = (places: readonly Place[]): { place: number; productId: Place }[] =>
  places.map((productId, place) => ({ place, productId }));

export type BoxFrameProps = {
  places: number;
  ref?: Ref<HTMLDivElement> | undefined;
  /** One cell for each place. */
  children: ReactNode;
};

/** An open box from above: its rim, its floor and its rows. */
export function BoxFrame({ places, ref, children }: BoxFrameProps) {
  const columns = columnsOf(places);
  const shape = { '--columns': columns, '--rows': Math.ceil(places / columns) } as CSSProperties;
  return (
    <div className={styles.frame} style={shape}>
      <div className={styles.floor} ref={ref}>
        {children}
      </div>
    </div>
  );
}

export type BoxPictureProps = { places: readonly Place[]; find(productId: number): PieceLook | undefined };

/** A filled box, to look at. */
export function BoxPicture({ places, find }: BoxPictureProps) {
  return (
    <BoxFrame places={places.length}>
      {numbered(places).map(({ place, productId }) => {
        const sweet = productId === null ? undefined : find(productId);
        return <Cup key={place}>{sweet && <Piece of={sweet} />}</Cup>;
      })}
    </BoxFrame>
  );
}
