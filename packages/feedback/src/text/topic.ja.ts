import type { TopicTexts } from './topic.en.ts'

export const topicTexts: TopicTexts = {
  feedbackTitle: 'フィードバックを送信',
  categoryLabel: 'どのような内容ですか？',
  categoryBug: '不具合',
  categoryIdea: '提案',
  categoryPraise: 'お褒めの言葉',
  ratingLabel: 'このページはいかがですか？',
}
