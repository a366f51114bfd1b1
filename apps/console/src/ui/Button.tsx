import { createLink } from '@tanstack/react-router'
import type { AnchorHTMLAttributes, ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import { cx } from '../lib/cx.ts'
import { Kbd } from './Kbd.tsx'
import { Spinner } from './Spinner.tsx'
import type { Icon } from './icons.tsx'
import styles from './Button.module.css'

export type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger'

interface ButtonLook {
  /** `primary` at most once per screen. */
  readonly variant?: ButtonVariant
  readonly size?: 'normal' | 'small'
  readonly icon?: Icon | undefined
  /** The shortcut shown at the right; registering it is `useShortcut`'s work. */
  readonly kbd?: string | undefined
}

export interface ButtonProps extends ButtonLook, ButtonHTMLAttributes<HTMLButtonElement> {
  readonly ref?: Ref<HTMLButtonElement>
  /** Shows a spinner and refuses further presses, without leaving the tab order. */
  readonly busy?: boolean
}

function look({ variant = 'secondary', size = 'normal' }: ButtonLook, className?: string): string {
  return cx(styles.button, styles[variant], size === 'small' && styles.small, className)
}

function content(icon: Icon | undefined, children: ReactNode, kbd: string | undefined, busy = false): ReactNode {
  const Drawn = icon
  return (
    <>
      {busy ? <Spinner size={14} /> : Drawn ? <Drawn size={15} /> : null}
      {children}
      {kbd === undefined ? null : <Kbd keys={kbd} />}
    </>
  )
}

/** A button with a text. One `primary` per screen; `danger` only for what cannot be taken back. */
export function Button({ variant, size, icon, kbd, busy = false, className, children, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-busy={busy || undefined}
      aria-disabled={busy || rest['aria-disabled']}
      onClick={busy ? (event) => event.preventDefault() : onClick}
      className={look({ ...(variant && { variant }), ...(size && { size }) }, className)}
    >
      {content(icon, children, kbd, busy)}
    </button>
  )
}

interface AnchorButtonProps extends ButtonLook, AnchorHTMLAttributes<HTMLAnchorElement> {
  readonly ref?: Ref<HTMLAnchorElement>
}

function AnchorButton({ variant, size, icon, kbd, className, children, ...rest }: AnchorButtonProps) {
  return (
    <a {...rest} className={look({ ...(variant && { variant }), ...(size && { size }) }, className)}>
      {content(icon, children, kbd)}
    </a>
  )
}

/** A link within the console that looks like a button: `<ButtonLink to="…" variant="primary">`. Pages without a router leave it out. */
export const ButtonLink = /* @__PURE__ */ createLink(AnchorButton)
