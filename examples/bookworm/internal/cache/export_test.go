package cache

// Waiting returns how many wait for the work of a key.
func (c *Cache) Waiting(key string) int {
	c.flights.mu.Lock()
	defer c.flights.mu.Unlock()
	if one := c.flights.running[key]; one != nil {
		return one.waiting
	}
	return 0
}
