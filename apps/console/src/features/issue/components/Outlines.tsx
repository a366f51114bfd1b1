import { Outline, Skeleton } from '../../../ui/index.ts'
import screen from './IssueScreen.module.css'
import styles from './Outlines.module.css'

const BUTTONS = [112, 88, 112, 96] as const
const TOTALS = [44, 36, 96, 88] as const
const FRAMES = 6
const CRUMBS = 5
const TAGS = 6

/** The shape of the issue page while it loads: heading and buttons, graph and numbers, the event, and who is affected. */
export function IssueOutline() {
  return (
    <Outline label="Loading the issue" className={screen.screen}>
      <div className={styles.header}>
        <Skeleton width={96} />
        <Skeleton width={260} height={20} />
        <Skeleton width={420} />
        <div className={styles.buttons}>
          {BUTTONS.map((width, index) => (
            <Skeleton key={index} width={width} height={30} />
          ))}
        </div>
      </div>
      <div className={screen.columns}>
        <div className={screen.main}>
          <div className={styles.graph}>
            <Skeleton height={44} />
            <div className={styles.totals}>
              {TOTALS.map((width, index) => (
                <Skeleton key={index} width={width} height={32} />
              ))}
            </div>
          </div>
          <div className={screen.tabs}>
            <div className={styles.tab}>
              <Skeleton width={40} />
            </div>
            <div className={styles.tab}>
              <Skeleton width={88} />
            </div>
          </div>
          <div className={screen.panels}>
            <Panels />
          </div>
        </div>
        <div className={screen.side}>
          <div className={styles.tags}>
            <Skeleton width={90} />
            {Array.from({ length: TAGS }, (_, index) => (
              <div key={index} className={styles.bar}>
                <Skeleton width={`${40 + ((index * 29) % 40)}%`} height={10} />
                <Skeleton height={6} />
              </div>
            ))}
          </div>
        </div>
      </div>
    </Outline>
  )
}

/** The shape of an event: its line, the stack trace, what happened before. */
export function EventOutline() {
  return (
    <Outline label="Loading the event" className={styles.event}>
      <Panels />
    </Outline>
  )
}

function Panels() {
  return (
    <>
      <div className={styles.panel}>
        <Row width="46%" />
      </div>
      <div className={styles.panel}>
        {Array.from({ length: FRAMES }, (_, index) => (
          <Row key={index} width={index === 0 ? '110px' : `${34 + ((index * 31) % 40)}%`} />
        ))}
      </div>
      <div className={styles.panel}>
        {Array.from({ length: CRUMBS }, (_, index) => (
          <Row key={index} width={index === 0 ? '150px' : `${28 + ((index * 37) % 34)}%`} />
        ))}
      </div>
    </>
  )
}

function Row({ width }: { readonly width: string }) {
  return (
    <div className={styles.row}>
      <Skeleton width={width} />
    </div>
  )
}
