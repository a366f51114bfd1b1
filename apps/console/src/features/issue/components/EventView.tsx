import { ApiError } from '@firsthand/contract'
import { useMemo, useState } from 'react'

import { describeError } from '../../../lib/api.ts'
import { Button, ErrorState, Panel } from '../../../ui/index.ts'
import { titleParts } from '../../issues/model/index.ts'
import { FrameLinks } from '../../repositories/links/index.ts'
import type { IssueWork } from '../issue-work.ts'
import { AttachmentsPanel } from './AttachmentsPanel.tsx'
import { BreadcrumbsPanel } from './BreadcrumbsPanel.tsx'
import { EventBar } from './EventBar.tsx'
import {
  ContextsPanel,
  ExtraPanel,
  FlagsPanel,
  MessagePanel,
  ImagesPanel,
  ModulesPanel,
  NotesPanel,
  ReportPanel,
  RequestPanel,
  SdkPanel,
  TagsPanel,
  ThreadsPanel,
  UserPanel,
} from './EventPanels.tsx'
import { FindingPanel } from './FindingPanel.tsx'
import { JsonDialog } from './JsonDialog.tsx'
import { EventOutline } from './Outlines.tsx'
import { ReceiptPlace } from './Remarks.tsx'
import { SlowdownPanel } from './SlowdownPanel.tsx'
import { StackTracePanel } from './StackTracePanel.tsx'
import styles from './IssueScreen.module.css'

/** The server's answer when the events were counted, and their data is gone. */
const UNREADABLE = /data cannot be read/

/** Whether the events of the issue were counted, but cannot be read. */
export function isUnreadable({ eventError }: IssueWork): boolean {
  return isMissing(eventError) && UNREADABLE.test(describeError(eventError).detail)
}

function isMissing(error: Error | null): boolean {
  return error instanceof ApiError && error.status === 404
}

/** One event, panel by panel. */
export function EventView({ work }: { readonly work: IssueWork }) {
  const { api, event, eventError, org } = work
  const [showsJson, setShowsJson] = useState(false)
  const said = titleParts(work.issue)
  const isElsewhere = isMissing(eventError) && work.url.event !== undefined && !isUnreadable(work)
  const project = api?.projectID ?? ''
  const receipts = useMemo(() => ({ org, project }), [org, project])
  return (
    <div className={styles.panels}>
      {eventError === null ? null : (
        <Panel>
          <ErrorState
            compact
            title={
              isUnreadable(work)
                ? 'Its events could not be loaded'
                : isElsewhere
                  ? `The issue has no event ${work.url.event?.slice(0, 32)}`
                  : isMissing(eventError)
                    ? 'This event is no longer stored'
                    : 'The event could not be loaded'
            }
            {...(isElsewhere
              ? { detail: 'Its time may be over, or it belongs to another issue.' }
              : { ...describeError(eventError), onRetry: work.retryEvent })}
          />
          {work.url.event === undefined || !isMissing(eventError) ? null : (
            <p className={styles.instead}>
              <Button onClick={() => work.showEvent('latest')}>Show the latest event</Button>
            </p>
          )}
        </Panel>
      )}
      {event === null && eventError === null ? <EventOutline /> : null}
      {event === null || api === null ? null : (
        <ReceiptPlace value={receipts}>
          <EventBar org={org} api={api} event={event} onShow={work.showEvent} onJson={() => setShowsJson(true)} />
          <FindingPanel org={org} event={event} />
          <SlowdownPanel org={org} project={api.projectID} event={event} />
          <MessagePanel event={event} said={said} />
          <ReportPanel event={event} />
          <FrameLinks org={org} project={api.projectSlug} release={event.release}>
            <StackTracePanel key={`stack-${event.id}`} event={event} said={said} org={org} />
            <ThreadsPanel key={`threads-${event.id}`} event={event} />
          </FrameLinks>
          <BreadcrumbsPanel key={`crumbs-${event.id}`} event={event} />
          <AttachmentsPanel key={`files-${event.id}`} org={org} project={api.projectSlug} event={api.eventID}>
            <RequestPanel event={event} />
            <UserPanel org={org} project={api.projectID} event={event} />
            <TagsPanel event={event} onFilter={work.filter} />
            <FlagsPanel event={event} />
            <ContextsPanel org={org} event={event} />
            <ExtraPanel event={event} />
            <ModulesPanel event={event} />
            <ImagesPanel event={event} />
            <SdkPanel event={event} />
            <NotesPanel event={event} />
          </AttachmentsPanel>
          <JsonDialog
            org={org}
            project={api.projectSlug}
            event={api.eventID}
            open={showsJson}
            onOpenChange={setShowsJson}
          />
        </ReceiptPlace>
      )}
    </div>
  )
}
