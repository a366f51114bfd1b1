/** What happened was noted in `facts` beside `issue_activity`. Nothing ever read it: live updates carry what a page needs. */
export const unreadFacts = (): readonly string[] => [`DROP TABLE facts`]
