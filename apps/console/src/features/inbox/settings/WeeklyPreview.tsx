import type { WeeklyReport } from '@firsthand/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button, Loaded, MailPage, Panel, SegmentedControl, SkeletonRows } from '../../../ui/index.ts'
import { weeklyReportQuery } from '../queries.ts'
import styles from './Notifications.module.css'

/** Monday’s mail, as it would be now. */
export function WeeklyPreview({ org }: { readonly org: string }) {
  const [isShown, setShown] = useState(false)
  const [form, setForm] = useState<'html' | 'text'>('html')
  return (
    <Panel
      title="Your week"
      subtitle="Mondays at 9:00 in your time zone"
      actions={
        isShown ? (
          <SegmentedControl
            aria-label="Form of the mail"
            value={form}
            onValueChange={setForm}
            options={[
              { value: 'html', label: 'As sent' },
              { value: 'text', label: 'As text' },
            ]}
          />
        ) : (
          <Button size="small" onClick={() => setShown(true)}>
            Preview
          </Button>
        )
      }
    >
      {isShown ? (
        <Preview org={org} form={form} />
      ) : (
        <p className={styles.help}>
          What is new and hurt people, what got worse, what was fixed, what people said, and what waits for you. None is
          sent when there is nothing to say.
        </p>
      )}
    </Panel>
  )
}

function Preview({ org, form }: { readonly org: string; readonly form: 'html' | 'text' }) {
  const query = useQuery(weeklyReportQuery(org))
  return (
    <Loaded
      query={query}
      compact
      outline={<SkeletonRows rows={6} label="Loading your week" />}
      failed="Your week could not be read"
    >
      {(week) => <Mail week={week} form={form} />}
    </Loaded>
  )
}

function Mail({ week, form }: { readonly week: WeeklyReport; readonly form: 'html' | 'text' }) {
  return (
    <>
      {week.isEmpty ? (
        <p className={styles.help}>
          Nothing happened in the last seven days and nothing waits for you: no mail would be sent.
        </p>
      ) : null}
      <p className={styles.subject}>{week.mail.subject}</p>
      {form === 'html' ? (
        <MailPage title="The mail" html={week.mail.html} />
      ) : (
        <pre className={styles.text}>{week.mail.text}</pre>
      )}
    </>
  )
}
