import { cx } from '../../../lib/cx.ts'
import { plainVisible } from '../../../lib/visible-text.ts'
import { AddressText, VisibleText } from '../../../ui/index.ts'
import { SignGlyph } from '../components/glyphs.tsx'
import type { Row } from '../model/rows.ts'
import { playTime } from '../model/time.ts'
import type { RowState } from './FollowList.tsx'
import lineStyles from './Line.module.css'
import styles from './FollowList.module.css'

/** A moment in words; a press goes there. */
export function MomentLine({
  row,
  from,
  state,
}: {
  readonly row: Row
  readonly from: number
  readonly state: RowState
}) {
  const { aside, at, code, details, isCode, selector, sign, text, tone } = row
  const isNow = state.when === 'now'
  return (
    <button
      type="button"
      data-row=""
      className={cx(lineStyles.line, styles.line)}
      data-when={state.when}
      data-tone={tone}
      aria-current={isNow ? 'time' : undefined}
      tabIndex={state.tabIndex}
      title={selector === '' ? undefined : plainVisible(selector)}
      onClick={state.go}
    >
      <span className={lineStyles.at}>{playTime(at - from, 2)}</span>
      <SignGlyph sign={sign} className={styles[`sign-${sign}`]} />
      <span className={styles.text}>
        {code === '' ? null : (
          <>
            <code>
              <VisibleText text={code} />
            </code>{' '}
          </>
        )}
        {isCode ? (
          <code>
            <AddressText text={text} />
          </code>
        ) : (
          <VisibleText text={text} />
        )}
      </span>
      <span className={styles.end}>{aside}</span>
      {isNow
        ? details.map((detail) => (
            <span key={detail} className={styles.detail}>
              <VisibleText text={detail} />
            </span>
          ))
        : null}
      {isNow && selector !== '' && details.length > 0 ? (
        <code className={styles.detail}>
          <VisibleText text={selector} />
        </code>
      ) : null}
    </button>
  )
}
