-- Note one value down: KEYS are the value's, its task's and its subject's; ARGV are the sealed value,
-- its milliseconds, its id, and how many values a task holds at most. A task's members are ids and a
-- subject's members are tasks; each one's score is the moment when it ends (Unix time, ms).
-- Gives whether the value was there before (1 or 0) and when it ends; nothing where the task is full.
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local ends = now + ARGV[2]

local function note(index, member, moment)
  redis.call('ZADD', index, string.format('%.0f', moment), member)
  local last = redis.call('ZRANGE', index, -1, -1, 'WITHSCORES')[2]
  redis.call('PEXPIREAT', index, string.format('%.0f', last))
  return last
end

redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', string.format('%.0f', now))
redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', string.format('%.0f', now))
local known = redis.call('ZSCORE', KEYS[2], ARGV[3])
if not known and redis.call('ZCARD', KEYS[2]) >= tonumber(ARGV[4]) then
  return false
end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
note(KEYS[3], KEYS[2], note(KEYS[2], ARGV[3], ends))
return {known and 1 or 0, ends}
