import { Fragment } from 'react'

import { cx } from '../../../lib/cx.ts'
import { VisibleText } from '../../../ui/VisibleText.tsx'
import { useColoured } from '../highlight.ts'
import type { FrameView } from '../model/event-view.ts'
import { languageOf } from '../model/languages.ts'
import styles from './SourceContext.module.css'

/** Source lines around the call, the line itself marked. Long lines scroll sideways together. */
export function SourceContext({ frame, platform }: { readonly frame: FrameView; readonly platform: string }) {
  const language = languageOf(frame.filename || frame.path, frame.platform || platform)
  const coloured = useColoured(frame.source.map((line) => line.text).join('\n'), language)
  return (
    // A scrolling box must be reachable by keyboard.
    <div className={styles.source} tabIndex={0} role="region" aria-label={`Source around line ${frame.line ?? ''}`}>
      <div className={styles.lines}>
        {frame.source.map((line, index) => (
          <div key={line.line} className={cx(styles.line, line.line === frame.line && styles.hit)}>
            <span className={styles.gutter}>{line.line}</span>
            <code className={styles.code}>
              {coloured?.[index]?.map((part, place) => (
                <Fragment key={place}>
                  {part.kind === 'plain' ? (
                    <VisibleText text={part.text} />
                  ) : (
                    <span className={styles[part.kind]}>
                      <VisibleText text={part.text} />
                    </span>
                  )}
                </Fragment>
              )) ?? <VisibleText text={line.text} />}
            </code>
          </div>
        ))}
      </div>
    </div>
  )
}
