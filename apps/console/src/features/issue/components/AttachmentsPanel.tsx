import type { EventAttachment } from '@firsthand/contract'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'

import { describeError } from '../../../lib/api.ts'
import { formatBytes } from '../../../lib/format.ts'
import { Dialog, ErrorState, FileIcon, Panel, RelativeTime, VisibleText } from '../../../ui/index.ts'
import { plainVisible } from '../../../lib/visible-text.ts'
import { MAX_ATTACHMENTS, attachmentAddress, attachmentsQuery } from '../queries.ts'
import styles from './AttachmentsPanel.module.css'

export interface AttachmentsPanelProps {
  readonly org: string
  readonly project: string
  readonly event: string
  /** What stands below. It waits until the files are known, so that nothing that is being read moves down. */
  readonly children: ReactNode
}

/** Pictures that a browser only paints. The server gives no other file a type that one would show. */
const PAINTED = /^image\/(png|jpeg|gif|webp|avif)$/

/** Files that came with the event. Names and contents are a stranger's: names are shown as text, files are only saved. */
export function AttachmentsPanel({ children, ...place }: AttachmentsPanelProps) {
  const { org, project, event } = place
  const { isPending } = useQuery(attachmentsQuery(org, project, event))
  return isPending ? null : (
    <>
      <Attachments {...place} />
      {children}
    </>
  )
}

function Attachments({ org, project, event }: Omit<AttachmentsPanelProps, 'children'>) {
  const { data: attachments = [], error, refetch } = useQuery(attachmentsQuery(org, project, event))
  const [shown, setShown] = useState<EventAttachment | null>(null)
  if (error !== null) {
    return (
      <Panel title="Attachments">
        <ErrorState
          compact
          title="The attachments could not be loaded"
          {...describeError(error)}
          onRetry={() => void refetch()}
        />
      </Panel>
    )
  }
  if (attachments.length === 0) return null
  const address = (attachment: EventAttachment) => attachmentAddress(org, project, event, attachment.id)
  return (
    <Panel
      title="Attachments"
      subtitle={attachments.length === MAX_ATTACHMENTS ? `the first ${MAX_ATTACHMENTS}` : `${attachments.length}`}
      content="rows"
    >
      <ul>
        {attachments.map((attachment) => (
          <li key={attachment.id} className={styles.file}>
            <Thumbnail attachment={attachment} address={address(attachment)} onOpen={() => setShown(attachment)} />
            <div className={styles.about}>
              <span className={styles.name} title={plainVisible(attachment.name)}>
                <VisibleText text={attachment.name} />
              </span>
              <span className={styles.facts}>
                <span className={styles.type}>{attachment.mimetype}</span>
                <span className={styles.size}>{formatBytes(attachment.size)}</span>
                <RelativeTime time={attachment.dateCreated} />
              </span>
            </div>
            <a
              className={styles.download}
              href={address(attachment)}
              download={attachment.name}
              aria-label={`Download ${plainVisible(attachment.name)}`}
            >
              Download
            </a>
          </li>
        ))}
      </ul>
      <Dialog
        open={shown !== null}
        onOpenChange={() => setShown(null)}
        size="large"
        title={shown === null ? '' : <VisibleText text={shown.name} />}
        description={shown === null ? '' : `${shown.mimetype}, ${formatBytes(shown.size)}`}
      >
        {shown === null ? null : <img className={styles.picture} src={address(shown)} alt={plainVisible(shown.name)} />}
      </Dialog>
    </Panel>
  )
}

function Thumbnail({
  attachment,
  address,
  onOpen,
}: {
  readonly attachment: EventAttachment
  readonly address: string
  readonly onOpen: () => void
}) {
  const [broken, setBroken] = useState(false)
  if (broken || !PAINTED.test(attachment.mimetype)) {
    return (
      <span className={styles.mark}>
        <FileIcon />
      </span>
    )
  }
  return (
    <button
      type="button"
      className={styles.thumbnail}
      aria-label={`Show ${plainVisible(attachment.name)}`}
      onClick={onOpen}
    >
      {/* What is called a picture need not be one. */}
      <img src={address} alt="" loading="lazy" decoding="async" onError={() => setBroken(true)} />
    </button>
  )
}
