import type { AlertMessage } from '@firsthand/contract'

import { VisibleText } from '../../../ui/index.ts'
import styles from './MessageBlocks.module.css'

/** What a message says below its headline. It is a picture of one: its buttons lead nowhere. */
export function MessageBlocks({ message }: { readonly message: AlertMessage }) {
  return (
    <div className={styles.blocks} data-level={message.level}>
      {message.blocks.map((block, place) => (
        <Block key={`${place}`} block={block} />
      ))}
      {message.actions.length === 0 ? null : (
        <ul className={styles.actions} aria-label="Buttons of the message">
          {message.actions.map(({ label }) => (
            <li key={label} className={styles.action}>
              {label}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function Block({ block }: { readonly block: AlertMessage['blocks'][number] }) {
  if (block.kind === 'text')
    return (
      <p className={styles.text}>
        <VisibleText text={block.text} />
      </p>
    )
  if (block.kind === 'code')
    return (
      <pre className={styles.code}>
        <VisibleText text={block.text} />
      </pre>
    )
  if (block.kind === 'quote')
    return (
      <blockquote className={styles.quote}>
        <VisibleText text={block.text} />
        <footer>
          <VisibleText text={block.by} />
        </footer>
      </blockquote>
    )
  if (block.kind === 'list')
    return (
      <ul className={styles.list}>
        {block.items.map(({ text }, place) => (
          <li key={`${place}`}>
            <VisibleText text={text} />
          </li>
        ))}
      </ul>
    )
  return (
    <dl className={styles.facts}>
      {block.rows.map(({ name, value }) => (
        <div key={name} className={styles.fact}>
          <dt>
            <VisibleText text={name} />
          </dt>
          <dd>
            <VisibleText text={value} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
