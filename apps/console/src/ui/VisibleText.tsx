import { textParts } from '../lib/visible-text.ts'
import styles from './VisibleText.module.css'

/** Text from an event: control characters that would change what one sees are drawn as marks with their name. */
export function VisibleText({ text }: { readonly text: string }) {
  const parts = textParts(text)
  const only = parts[0]
  if (parts.length === 1 && only?.kind === 'text') return only.text
  return (
    <bdi>
      {parts.map((part, index) =>
        part.kind === 'text' ? (
          part.text
        ) : (
          <span key={index} className={styles.mark} title={part.name}>
            {part.label}
          </span>
        ),
      )}
    </bdi>
  )
}
