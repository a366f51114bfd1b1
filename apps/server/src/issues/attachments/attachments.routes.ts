import { getEventAttachment, listEventAttachments } from '@firsthand/contract'
import { bind, notFound, readPage, toPage, type Route } from '../../http/index.ts'
import { toDate } from '../../lib/instant-text.ts'
import type { OrganizationRequest as Request } from '../organization-request.routes.ts'
import type { IssueServices } from '../services.ts'
import { attachmentType, downloadHeaders, fileName, mediaType } from '../../kept-items/index.ts'
import type { AttachmentRecord, EventReference } from '../../kept-items/index.ts'

const HEX_ID = /^[0-9a-f]{32}$/

/** Files that came with events: what there is, and the files themselves. */
export const createAttachmentRoutes = ({
  issues,
  attachments,
}: Pick<IssueServices, 'issues' | 'attachments'>): Route[] => {
  const findEvent = async (
    request: Request,
    params: { readonly project: string; readonly event: string },
  ): Promise<EventReference> => {
    const organizationId = request.organization.id
    const projects = await issues.projects(organizationId)
    const project = projects.find(({ id, slug }) => slug === params.project || String(id) === params.project)
    const eventId = params.event.replaceAll('-', '').toLowerCase()
    if (project === undefined || !HEX_ID.test(eventId)) throw notFound()
    return { organizationId, projectId: project.id, eventId }
  }

  const find = async (event: EventReference, id: string): Promise<AttachmentRecord> => {
    const record = HEX_ID.test(id) ? await attachments.find(event, id) : null
    if (record === null) throw notFound()
    return record
  }

  return [
    bind(listEventAttachments, async ({ params, query, request }) => {
      const event = await findEvent(request, params)
      const asked = readPage(query)
      const { rows, page } = toPage(await attachments.list(event, asked), asked)
      // What came with something that is no error (a transaction, a message of a visitor) is in no index of events.
      if (rows.length === 0 && asked.offset === 0) {
        const known = await issues.locateEvent(event.organizationId, [event.projectId], event.eventId)
        if (known.length === 0) throw notFound()
      }
      return { body: rows.map((row) => attachmentJson(event, row)), page }
    }),

    bind(getEventAttachment, async ({ params, query, request }) => {
      const event = await findEvent(request, params)
      const record = await find(event, params.attachment)
      if (query.download === undefined) return { body: attachmentJson(event, record) }
      const bytes = await attachments.content(event, record.id)
      if (bytes === null) throw notFound('This file is not kept any more.')
      return { bytes, headers: downloadHeaders(record) }
    }),
  ]
}

const attachmentJson = ({ eventId }: EventReference, record: AttachmentRecord) => {
  const mimetype = mediaType(record)
  return {
    id: record.id,
    event_id: eventId,
    type: attachmentType(record),
    name: fileName(record),
    mimetype,
    dateCreated: toDate(record.receivedAt),
    size: record.bytes,
    headers: { 'Content-Type': mimetype },
    sha1: '',
  }
}
