import type { ReactNode } from 'react'
import type { Shape } from '../lib/products.ts'
import styles from './Picture.module.css'

/** Outlines on a field of 200 × 200, standing on y = 160. */
const SHAPES: Readonly<Record<Shape, ReactNode>> = {
  cup: (
    <>
      <path className={styles.open} d="M132 88h12a20 20 0 0 1 0 40h-14" />
      <path className={styles.body} d="M60 76h74v42a40 42 0 0 1-40 42h-4a30 42 0 0 1-30-42z" />
    </>
  ),
  bowl: <path className={styles.body} d="M38 92h124c0 38-26 62-44 64v6H82v-6c-18-2-44-26-44-64z" />,
  teapot: (
    <>
      <path className={styles.open} d="M142 96c30-8 34 40-4 44" />
      <path className={styles.body} d="M70 108 38 86l-12 9 44 54z" />
      <path className={styles.body} d="M58 116a44 40 0 0 1 88 0c0 30-18 44-28 44H86c-10 0-28-14-28-44z" />
      <path className={styles.body} d="M92 72a10 10 0 0 1 20 0l2 6H90z" />
    </>
  ),
  plate: (
    <>
      <ellipse className={styles.body} cx="100" cy="124" rx="74" ry="34" />
      <ellipse className={styles.inner} cx="100" cy="120" rx="46" ry="19" />
    </>
  ),
  carafe: (
    <>
      <path
        className={styles.body}
        d="M86 40h28l-4 44c4 14 32 26 32 52 0 18-16 26-24 26H82c-8 0-24-8-24-26 0-26 28-38 32-52z"
      />
      <path className={styles.inner} d="M62 128c14-8 24 6 40 2s26-8 36-2c6 20-8 30-20 30H82c-12 0-26-10-20-30z" />
    </>
  ),
  vase: (
    <>
      <path className={styles.stem} d="M102 84C98 60 108 44 116 26" />
      <circle className={styles.flower} cx="118" cy="26" r="11" />
      <path
        className={styles.body}
        d="M90 78h22v12c22 10 30 26 30 42 0 20-14 30-24 30H82c-10 0-22-10-22-30 0-16 8-32 30-42z"
      />
    </>
  ),
  jug: (
    <>
      <path className={styles.open} d="M136 84c28 0 26 46-2 48" />
      <path
        className={styles.body}
        d="M58 62l20 8h56l-2 20c10 14 10 26 8 40-2 20-12 32-20 32H82c-10 0-18-12-20-32-2-16 4-26 8-38z"
      />
    </>
  ),
  moon: (
    <>
      <path className={styles.open} d="M70 84c-2-54 64-54 62 0" />
      <circle className={styles.body} cx="100" cy="114" r="48" />
      <path className={styles.body} d="m144 104 26-20 6 8-28 40z" />
      <circle className={styles.inner} cx="84" cy="104" r="9" />
      <circle className={styles.inner} cx="106" cy="134" r="12" />
    </>
  ),
}

/** A drawing of a product; decoration, the name stands beside it. */
export const Picture = ({ shape, hue }: { readonly shape: Shape; readonly hue: number }): ReactNode => (
  <svg
    className={styles.picture}
    viewBox="0 0 200 200"
    aria-hidden="true"
    style={{ '--hue': hue } as Readonly<Record<string, unknown>>}
  >
    <ellipse className={styles.shadow} cx="100" cy="163" rx="62" ry="8" />
    {SHAPES[shape]}
  </svg>
)
