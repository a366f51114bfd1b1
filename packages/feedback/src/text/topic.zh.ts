import type { TopicTexts } from './topic.en.ts'

export const topicTexts: TopicTexts = {
  feedbackTitle: '发送反馈',
  categoryLabel: '这是关于什么的？',
  categoryBug: '问题',
  categoryIdea: '建议',
  categoryPraise: '表扬',
  ratingLabel: '您觉得这个页面怎么样？',
}
