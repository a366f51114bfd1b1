import type { ReactNode } from 'react'
import { cx } from '../lib/cx.ts'
import { CopyButton } from './CopyButton.tsx'
import styles from './CodeBlock.module.css'

export interface CodeBlockProps {
  readonly code: string
  /** Above the code: a file name or "Terminal". */
  readonly title?: ReactNode
  readonly wrap?: boolean
  /** Already coloured content; `code` stays what is copied. */
  readonly children?: ReactNode
}

/** Code to read and to copy. It scrolls sideways by itself. */
export function CodeBlock({ code, title, wrap = false, children }: CodeBlockProps) {
  return (
    <div className={styles.block}>
      <div className={styles.bar}>
        <span className={styles.title}>{title}</span>
        <CopyButton text={code} label="code" />
      </div>
      {/* A scrolling box must be reachable by keyboard. */}
      <pre className={cx(styles.code, wrap && styles.wrap)} tabIndex={0}>
        <code>{children ?? (wrap ? <Words text={code} /> : code)}</code>
      </pre>
    </div>
  )
}

/** Lines break between words: an option of a command stays whole where it fits into a line. */
function Words({ text }: { readonly text: string }) {
  return text.split(/(\s+)/).map((part, place) =>
    place % 2 === 1 ? (
      part
    ) : (
      // Words come again, and stay where they are.
      <span key={place} className={styles.word}>
        {part}
      </span>
    ),
  )
}
