/** The face of the slice: files that came with events. */
export { attachmentType, downloadHeaders, fileName, mediaType } from './attachment-file.ts'
export {
  createTelemetryAttachmentView,
  forgetAttachments,
  forgetItemsOfEvents,
  forgetKeptItems,
} from './attachments.view.ts'
export type { AttachmentRecord, AttachmentView, EventReference } from './attachments.view.ts'
