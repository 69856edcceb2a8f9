import type { ComponentProps, ReactNode } from 'react';
import { Link, type LinkProps } from 'react-router';
import styles from './button.module.css';

/** `outlined-danger` opens the question, `danger` does it. */
export type ButtonVariant = 'primary' | 'secondary' | 'danger' | 'outlined-danger' | 'text';

type ButtonLook = { variant?: ButtonVariant | undefined; size?: 'medium' | 'small' | undefined };

const variants: Record<ButtonVariant, string | undefined> = {
  primary: styles.primary,
  secondary: styles.secondary,
  danger: styles.danger,
  'outlined-danger': styles.outlinedDanger,
  text: styles.text,
};

/** For what only looks like a button, such as the label of a file input. */
export function buttonClass({ variant = 'secondary', size = 'medium' }: ButtonLook, className?: string): string {
  return [variants[variant], size === 'small' && styles.small, className].filter(Boolean).join(' ');
}

export type ButtonProps = ComponentProps<'button'> &
  ButtonLook & {
    /** What it started is not done yet: it keeps the focus, and its handler ignores another press. */
    isBusy?: boolean;
  };

export function Button({ variant, size, isBusy, className, type = 'button', ...button }: ButtonProps) {
  return (
    <button
      aria-busy={isBusy || undefined}
      aria-disabled={isBusy || undefined}
      {...button}
      type={type}
      className={buttonClass({ variant, size }, className)}
    />
  );
}

/** A step to another page of the shop. */
export function ButtonLink({ variant, size, className, ...link }: LinkProps & ButtonLook) {
  return <Link {...link} className={buttonClass({ variant, size }, className)} />;
}

/** A step out of the shop, or one that also works where the router does not. */
export function ButtonAnchor({ variant, size, className, children, ...anchor }: ComponentProps<'a'> & ButtonLook) {
  return (
    <a {...anchor} className={buttonClass({ variant, size }, className)}>
      {children}
    </a>
  );
}

/** `isFramed`: with a ground of its own, where it lies on a picture. */
type IconButtonLook = { isFramed?: boolean };

/** For a link that shows only an icon. */
export function iconButtonClass({ isFramed = false }: IconButtonLook, className?: string): string {
  return [styles.icon, isFramed && styles.framed, className].filter(Boolean).join(' ');
}

export type IconButtonProps = Omit<ComponentProps<'button'>, 'type'> &
  IconButtonLook & { label: string; children: ReactNode };

/** A round button that shows only an icon. */
export function IconButton({ label, isFramed, className, ...button }: IconButtonProps) {
  return <button {...button} type="button" aria-label={label} className={iconButtonClass({ isFramed }, className)} />;
}
