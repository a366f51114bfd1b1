import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { usePageTitle } from '../../../lib/page-title.ts'
import { Button, Loaded, Notice, PageBody, PageHeader, RelativeTime, SkeletonRows } from '../../../ui/index.ts'
import { noticeSettingsQuery } from '../queries.ts'
import { Kinds } from './Kinds.tsx'
import { Timing } from './Timing.tsx'
import { type LoadedSettings, useNoticeSettings } from './use-notice-settings.ts'
import { WeeklyPreview } from './WeeklyPreview.tsx'
import styles from './Notifications.module.css'

/** What reaches one, by which way and when. */
export function NotificationsScreen() {
  usePageTitle('What reaches me')
  const { org = '' } = useParams({ strict: false })
  const query = useQuery(noticeSettingsQuery)
  return (
    <>
      <PageHeader title="What reaches me" />
      <PageBody width="narrow">
        <Loaded
          query={query}
          outline={<SkeletonRows rows={10} label="Loading what reaches you" />}
          failed="Your settings could not be loaded"
        >
          {(loaded) => <Settings org={org} loaded={loaded} />}
        </Loaded>
      </PageBody>
    </>
  )
}

function Settings({ org, loaded }: { readonly org: string; readonly loaded: LoadedSettings }) {
  const { busy, change, resume } = useNoticeSettings(loaded)
  const { mail, settings, defaults, timezone } = loaded
  return (
    <>
      {mail.canSend ? null : (
        <Notice tone="warning">
          This server cannot send e-mail: whoever runs it sets <code>FIRSTHAND_SMTP_URL</code>. Until then you are told
          in your inbox only.
        </Notice>
      )}
      {mail.paused === null ? null : (
        <Notice tone="error">
          <div className={styles.paused}>
            <p>
              Nothing is sent to {mail.address} any more: <RelativeTime time={mail.paused.since} /> its mail server
              refused a mail (“{mail.paused.reason}”).
            </p>
            <Button size="small" busy={busy} onClick={() => void resume()}>
              It works again
            </Button>
          </div>
        </Notice>
      )}
      <Kinds org={org} settings={settings} defaults={defaults} onChange={change} />
      <Timing settings={settings} timezone={timezone} onChange={change} />
      <WeeklyPreview org={org} />
    </>
  )
}
