export { createHttpApp } from './app.ts'
export type { HttpApp, HttpAppOptions, Page } from './app.ts'
export { bind, bindFor } from './bind.ts'
export type { BytesReply, Handler, HandlerInput, JsonReply, RequestContext, Route, StreamReply } from './bind.ts'
export type { Authenticator, Caller, CallerOrganization, CallerUser } from './caller.ts'
export {
  badRequest,
  conflict,
  explainRefusal,
  forbidden,
  HttpError,
  notFound,
  orBadRequest,
  unauthorized,
} from './errors.ts'
export { answerBrokenRequest } from './broken-request.ts'
export { createLive, createLiveRoutes } from './live.ts'
export type { Live, LiveUpdate } from './live.ts'
export { createAddressing } from './addressing.ts'
export type { Addressing } from './addressing.ts'
export { createFilesUnderWay, heldBytes } from './files-under-way.ts'
export type { FileContent, FilePieces } from './files-under-way.ts'
export { readHosts } from './read-hosts.ts'
export { readMomentPage, readPage, toMomentPage, toPage } from './paging.ts'
export { saveTable } from './save-table.ts'
export type { TablePage } from './save-table.ts'
export { forgetSession, keepSession } from './session-cookie.ts'
export { createStaticFiles, FOR_EVER } from './static-files.ts'
export { unwrap } from './unwrap.ts'
export type { ExpectedFailure } from './unwrap.ts'
export type { Upload } from './upload.ts'
