import { ErrorBoundary, FeedbackButton, useFeedback } from '@firsthand/react'
import { useRef, useState, type ReactNode } from 'react'
import { ERRORS, TRACES, type Breakage } from '../lib/breakages.ts'
import { feedback } from '../lib/report.ts'
import { sentStore } from '../lib/sent.ts'
import { settings, type StageLink } from '../lib/settings.ts'
import { problemFallback } from '../parts/Problem.tsx'
import styles from './Workbench.module.css'

const Row = ({
  label,
  hint,
  children,
}: {
  readonly label: string
  readonly hint: string
  readonly children: ReactNode
}): ReactNode => (
  <li className={styles.row}>
    <div>
      <h3>{label}</h3>
      <p>{hint}</p>
    </div>
    {children}
  </li>
)

const BreakageRow = ({ label, hint, run }: Breakage): ReactNode => (
  <Row label={label} hint={hint}>
    <button type="button" className="quiet" onClick={run} aria-label={`Do it: ${label}`}>
      Do it
    </button>
  </Row>
)

const Kiln = ({ isOpen }: { readonly isOpen: boolean }): ReactNode => {
  if (isOpen) throw new RangeError('1240 degrees are too many for this component')
  return null
}

const kilnFallback = problemFallback('The kiln has cracked')
/** Made once: the widget keeps one form, with its draft, for each options object. */
const SURVEY = {
  formTitle: 'Two questions',
  fields: [
    { type: 'rating', name: 'satisfaction', label: 'How do you like the shop?' },
    {
      type: 'select',
      name: 'found_by',
      label: 'How did you find us?',
      options: ['A friend', 'A search', 'By accident'],
    },
    { type: 'text', name: 'wish', label: 'What should we make next?' },
    { type: 'checkbox', name: 'newsletter', label: 'Write to me when it is done' },
  ],
} as const
const REQUIRED = { isNameRequired: true, isEmailRequired: true }
const ANONYMOUS = { showName: false, showEmail: false }

const ReactRows = (): ReactNode => {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Row
        label="Broken component"
        hint="Throws while rendering. The boundary shows a way to say what happened; the report is linked to the event."
      >
        <button type="button" className="quiet" onClick={() => setOpen(true)} aria-label="Do it: Broken component">
          Do it
        </button>
      </Row>
      <li className={styles.wide}>
        <ErrorBoundary fallback={kilnFallback} onReset={() => setOpen(false)}>
          <Kiln isOpen={isOpen} />
        </ErrorBoundary>
      </li>
    </>
  )
}

const FeedbackRows = (): ReactNode => {
  const { open, send } = useFeedback()
  const [isTriggerShown, setTriggerShown] = useState(true)
  const [answer, setAnswer] = useState('')
  const dialog = useRef<HTMLDialogElement>(null)
  const toggleTrigger = (): void => {
    const trigger = feedback.getWidget()
    if (isTriggerShown) trigger?.hide()
    else trigger?.show()
    setTriggerShown(!isTriggerShown)
  }
  return (
    <>
      <Row label="Floating button" hint="In the corner of every page, above whatever the page shows.">
        <button type="button" className="quiet" aria-pressed={isTriggerShown} onClick={toggleTrigger}>
          {isTriggerShown ? 'Hide it' : 'Show it'}
        </button>
      </Row>
      <Row label="A button of our own" hint="<FeedbackButton> is a plain button with the look of this shop.">
        <FeedbackButton className="quiet">Give feedback</FeedbackButton>
      </Row>
      <Row
        label="Opened by the page"
        hint="useFeedback().open() half a second after a click, as a page would after an order."
      >
        <button
          type="button"
          className="quiet"
          onClick={() => setTimeout(() => void open(), 500)}
          aria-label="Do it: Opened by the page"
        >
          Do it
        </button>
      </Row>
      <Row label="Questions of our own" hint="Stars, a choice, a text and a tick beside the message.">
        <FeedbackButton className="quiet" options={SURVEY}>
          Ask me
        </FeedbackButton>
      </Row>
      <Row label="Name and e-mail required" hint="The form says what is missing, and goes there.">
        <FeedbackButton className="quiet" options={REQUIRED}>
          Open
        </FeedbackButton>
      </Row>
      <Row label="Neither name nor e-mail" hint="Only the message is asked for.">
        <FeedbackButton className="quiet" options={ANONYMOUS}>
          Open
        </FeedbackButton>
      </Row>
      <Row label="Without any form" hint="useFeedback().send() sends a sentence from code.">
        <button
          type="button"
          className="quiet"
          onClick={() => {
            send({ message: 'Sent from the workbench, without a form.' }).then(
              (id) => setAnswer(`Sent: ${id}`),
              (error: unknown) => setAnswer(String(error)),
            )
          }}
          aria-label="Do it: Without any form"
        >
          Send
        </button>
      </Row>
      <Row
        label="Inside of a modal dialog"
        hint="The page’s own dialog is open. The form still opens above it, and leads back."
      >
        <button type="button" className="quiet" onClick={() => dialog.current?.showModal()}>
          Open the dialog
        </button>
      </Row>
      <li className={styles.wide}>
        <p role="status">{answer}</p>
        <dialog ref={dialog} className={styles.dialog} aria-label="A dialog of the page">
          <h3>A dialog of the page</h3>
          <p>Everything behind it is inert. The feedback button is not.</p>
          <form method="dialog">
            <FeedbackButton className="quiet">Give feedback</FeedbackButton>
            <button className="main">Close</button>
          </form>
        </dialog>
      </li>
    </>
  )
}

const Stages = ({ group }: { readonly group: StageLink['group'] }): ReactNode => (
  <ul className={group === 'Language' ? styles.tags : styles.stages}>
    {settings.stages
      .filter((stage) => stage.group === group)
      .map(({ name, title, hint }) => (
        <li key={name}>
          <a href={`/stage/${name}`} {...(group === 'Language' && { lang: name.replace('language-', '') })}>
            {title}
          </a>
          {group !== 'Language' && <p>{hint}</p>}
        </li>
      ))}
    {group === 'Page' && (
      <li>
        <a href="/plain">Without a bundler</a>
        <p>One script tag from the Firsthand server, with data-dsn and data-feedback.</p>
      </li>
    )}
  </ul>
)

const SentList = (): ReactNode => {
  const sent = sentStore.use()
  const { consoleUrl } = settings
  return (
    <aside className={styles.sent} aria-label="What was sent">
      <h2>What was sent</h2>
      {sent.length === 0 ? (
        <p>Nothing yet. Press a button.</p>
      ) : (
        <ol>
          {sent.map(({ id, what }) => (
            <li key={id}>
              {what} <code>{id.slice(0, 8)}</code>
            </li>
          ))}
        </ol>
      )}
      {consoleUrl !== null && (
        <p className={styles.links}>
          <a href={`${consoleUrl}/issues`}>Issues</a>
          <a href={`${consoleUrl}/feedback`}>Feedback</a>
          <a href={`${consoleUrl}/receipts`}>Receipts</a>
        </p>
      )}
    </aside>
  )
}

const Section = ({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactNode => (
  <section className={styles.section}>
    <h2>{title}</h2>
    {children}
  </section>
)

export const Workbench = (): ReactNode => (
  <>
    <h1 className={styles.title}>Workbench</h1>
    <p className={styles.lead}>
      Everything that can go wrong in a shop, at the press of a button, and every way to say so. Each arrives in the
      console within a second.
    </p>
    <div className={styles.columns}>
      <div>
        <Section title="Errors">
          <ul className={styles.rows}>
            {ERRORS.map((breakage) => (
              <BreakageRow key={breakage.label} {...breakage} />
            ))}
            <ReactRows />
          </ul>
        </Section>
        <Section title="What led there">
          <ul className={styles.rows}>
            {TRACES.map((breakage) => (
              <BreakageRow key={breakage.label} {...breakage} />
            ))}
          </ul>
        </Section>
        <Section title="Feedback">
          <ul className={styles.rows}>
            <FeedbackRows />
          </ul>
        </Section>
        <Section title="Other forms">
          <Stages group="Form" />
        </Section>
        <Section title="Languages">
          <Stages group="Language" />
        </Section>
        <Section title="Difficult pages">
          <Stages group="Page" />
        </Section>
      </div>
      <SentList />
    </div>
  </>
)
