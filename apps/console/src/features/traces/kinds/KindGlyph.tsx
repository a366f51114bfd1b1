import type { SpanKind } from './kinds.ts'
import styles from './KindGlyph.module.css'

const PATHS: Readonly<Record<SpanKind, string>> = {
  browser: 'M2.500 3.500h11v9h-11zM2.500 6.300h11',
  code: 'm5.500 5-3 3 3 3M10.500 5l3 3-3 3',
  request: 'M2.500 5.800h10M10 3.300l2.700 2.500M13.500 10.200h-10M6 12.700l-2.700-2.500',
  database: 'M3 4.200c0-2 10-2 10 0v7.600c0 2-10 2-10 0zM3 4.200c0 2 10 2 10 0M3 8c0 2 10 2 10 0',
  cache: 'M9 1.800 3.800 9H8l-1 5.200L12.200 7H8z',
  queue: 'M2.500 4h11M2.500 8h11M2.500 12h5M10 10.500l2 1.500-2 1.500',
}

/** The sign of a kind of span, in its hue. */
export function KindGlyph({ kind, size = 14 }: { readonly kind: SpanKind; readonly size?: number }) {
  return (
    <svg
      className={styles.glyph}
      data-kind={kind}
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.5}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={PATHS[kind]} />
    </svg>
  )
}
