import { VisibleText } from '../../../../ui/index.ts'
import { slackBlocks, type SlackBlock, type SlackText } from '../../model/as-sent.ts'
import styles from './Look.module.css'

/** A message in a channel of Slack. It is a picture of one: its buttons lead nowhere. */
export function SlackLook({ body, moment }: { readonly body: string; readonly moment: string }) {
  return (
    <article className={styles.slack} aria-label="In Slack">
      <span className={styles.app} aria-hidden="true">
        F
      </span>
      <div className={styles.said}>
        <p className={styles.by}>
          <b>Firsthand</b> <span className={styles.tag}>APP</span> {moment}
        </p>
        {slackBlocks(body).map((block, place) => (
          <Block key={`${place}`} block={block} />
        ))}
      </div>
    </article>
  )
}

function Block({ block }: { readonly block: SlackBlock }) {
  switch (block.kind) {
    case 'header':
      return (
        <p className={styles.header}>
          <VisibleText text={block.text} />
        </p>
      )
    case 'context':
      return (
        <p className={styles.context}>
          <VisibleText text={block.text} />
        </p>
      )
    case 'section':
      return (
        <p className={styles.text}>
          <Runs runs={block.runs} />
        </p>
      )
    case 'code':
      return (
        <pre className={styles.code}>
          <Runs runs={block.runs} />
        </pre>
      )
    case 'quote':
      return (
        <blockquote className={styles.quote}>
          <Runs runs={block.runs} />
        </blockquote>
      )
    case 'list':
      return (
        <ul className={styles.list}>
          {block.items.map((runs, place) => (
            <li key={`${place}`}>
              <Runs runs={runs} />
            </li>
          ))}
        </ul>
      )
    case 'buttons':
      return (
        <ul className={styles.buttons} aria-label="Buttons of the message">
          {block.labels.map((label) => (
            <li key={label}>{label}</li>
          ))}
        </ul>
      )
  }
}

function Runs({ runs }: { readonly runs: readonly SlackText[] }) {
  return runs.map((run, place) => <Run key={`${place}`} run={run} />)
}

function Run({ run: { isBold, isItalic, isLink, text } }: { readonly run: SlackText }) {
  const shown = <VisibleText text={text} />
  if (isLink) return <span className={styles.link}>{shown}</span>
  if (isBold) return <b>{shown}</b>
  return isItalic ? <i>{shown}</i> : shown
}
