import type { NestedField } from '../../search/index.ts'
import { AROUND } from '../telemetry/sql.ts'

/**
 * Conditions over one of many things of a replay, as conditions over the replay: it has one that fulfils it. Statements with
 * them bind `organization`, `around` and `beyond`.
 */

/** Whether any click of the replay fulfils a condition. @param kinds of clicks, as a list for `IN` */
export const anyClick =
  (kinds: string): NestedField['any'] =>
  (condition, bindProjects) =>
    `(replays.project_id, replays.replay_id) IN (
      SELECT project_id, replay_id FROM replay_marks
      WHERE organization_id = {organization:UInt32} AND project_id IN ${bindProjects()}
        AND ${AROUND}
        AND kind IN ${kinds} AND (${condition}))`

/** Whether anything that was reported in the replay fulfils a condition. */
export const anyReported: NestedField['any'] = (condition, bindProjects) =>
  `(replays.project_id, replays.replay_id) IN (
    SELECT project_id, toUUIDOrZero(events.replay_id) FROM events
    WHERE organization_id = {organization:UInt32} AND project_id IN ${bindProjects()} AND events.replay_id != ''
      AND ${AROUND}
      AND (${condition}))`

/**
 * Whether any address of the replay's pages fulfils a condition over `address`. Looked up segment by segment: to gather all
 * addresses of each replay first takes four times as long.
 */
export const anyAddress: NestedField['any'] = (condition, bindProjects) =>
  `(replays.project_id, replays.replay_id) IN (
    SELECT project_id, replay_id FROM replay_segments
    WHERE organization_id = {organization:UInt32} AND project_id IN ${bindProjects()}
      AND ${AROUND}
      AND arrayExists(address -> (${condition}), replay_segments.urls))`

/** Whether any text of the replay's pages fulfils a condition. */
export const anyText: NestedField['any'] = (condition, bindProjects) =>
  `(replays.project_id, replays.replay_id) IN (
    SELECT project_id, replay_id FROM replay_texts
    WHERE organization_id = {organization:UInt32} AND project_id IN ${bindProjects()}
      AND ${AROUND}
      AND (${condition}))`

/** A condition over the replay itself. */
export const itself: NestedField['any'] = (condition) => `(${condition})`
