package beartest

// WriteSample creates a library with the notes of Sample at path. The directory must exist, and the file must
// not exist.
func WriteSample(path string) error { return Create(path, Layout{WAL: true}, Sample()...) }

// Sample returns a few notes for demos.
func Sample() []Note {
	return append(kitchen(), append(garden(), work()...)...)
}

func kitchen() []Note {
	return []Note{
		{ID: "8B2F6A10-3C4D-4E5F-8A9B-0C1D2E3F4A01", Title: "Tomato soup", Modified: Day(10), Tags: []string{"cooking", "cooking/soups"},
			Text: `# Tomato soup
#cooking/soups

- 1 kg ripe tomatoes, halved
- 2 onions, a clove of garlic
- a handful of basil

Roast the tomatoes with the onions at 200 °C for 40 minutes.
Blend with half a litre of stock, and season.
Basil goes in last: heat takes its scent away.
`},
		{ID: "8B2F6A10-3C4D-4E5F-8A9B-0C1D2E3F4A02", Title: "Sourdough, step by step", Modified: Day(20), Tags: []string{"cooking", "cooking/bread"}, Pinned: []string{"cooking"},
			Text: `# Sourdough, step by step
#cooking/bread

1. Feed the starter in the evening: 50 g flour, 50 g water.
2. In the morning mix 500 g flour, 350 g water, 100 g starter; rest for 30 minutes.
3. Add 10 g salt, fold four times, every half hour.
4. Shape, and leave in the fridge overnight.
5. Bake at 240 °C: 25 minutes with the lid on, 20 without.

Hydration is 70%. Try 75% with the stronger flour.
`},
		{ID: "8B2F6A10-3C4D-4E5F-8A9B-0C1D2E3F4A03", Title: "Crème brûlée", Modified: Day(30), Tags: []string{"cooking"},
			Text: "# Crème brûlée\n#cooking\n\nSix yolks, half a litre of cream, 80 g sugar, one vanilla pod.\nBake in a water bath at 110 °C until the middle only just trembles.\n"},
		{ID: "8B2F6A10-3C4D-4E5F-8A9B-0C1D2E3F4A04", Title: "Shopping", Modified: Day(300), Tags: []string{"cooking", "this week"},
			Text: "# Shopping\n#cooking #this week#\n\n- [ ] bread flour\n- [x] tomatoes\n- [ ] basil, in a pot\n- [ ] cream\n"},
	}
}

func garden() []Note {
	return []Note{
		{ID: "8B2F6A10-3C4D-4E5F-8A9B-0C1D2E3F4A05", Title: "Basil on the windowsill", Modified: Day(40), Tags: []string{"garden", "garden/herbs"},
			Text: "# Basil on the windowsill\n#garden/herbs\n\nWater from below, never over the leaves.\nPinch out the tops above a pair of leaves, and it grows bushy.\nA pot from the shop holds twenty seedlings: divide them.\n"},
		{ID: "8B2F6A10-3C4D-4E5F-8A9B-0C1D2E3F4A06", Title: "Compost", Modified: Day(50), Tags: []string{"garden"},
			Text: "# Compost\n#garden\n\nTwo parts brown (leaves, straw, cardboard) to one part green.\nTurn it when it is cold in the middle.\nNo cooked food: it brings rats.\n"},
		{ID: "8B2F6A10-3C4D-4E5F-8A9B-0C1D2E3F4A07", Title: "Garden diary 2023", Modified: Day(5), Tags: []string{"garden"}, Archived: true,
			Text: "# Garden diary 2023\n\nMarch: onions sown.\nMay: late frost on the 12th, the tomatoes survived under fleece.\nAugust: more tomatoes than we can eat.\n"},
	}
}

func work() []Note {
	return []Note{
		{ID: "8B2F6A10-3C4D-4E5F-8A9B-0C1D2E3F4A08", Title: "Kubernetes", Modified: Day(60), Tags: []string{"work", "work/ops"},
			Text: "# Kubernetes\n#work/ops\n\nA pod that is stuck in Pending wants a node: look at its events first.\n\n```sh\nkubectl describe pod web-0\n```\n"},
		{ID: "8B2F6A10-3C4D-4E5F-8A9B-0C1D2E3F4A09", Title: "Cluster diary", Modified: Day(200), Tags: []string{"work", "work/ops"},
			Text: "# Cluster diary\n#work/ops\n\nMonday: Kubernetes upgraded on staging.\nTuesday: Kubernetes upgraded in production, ten minutes of errors.\nWednesday: wrote down what Kubernetes wants before the next one.\n"},
		{ID: "8B2F6A10-3C4D-4E5F-8A9B-0C1D2E3F4A10", Title: "Reading list", Modified: Day(80), Tags: []string{"reading"},
			Text: "# Reading list\n#reading\n\n- A Pattern Language\n- The Art of Doing Science and Engineering\n- On Food and Cooking\n"},
		{ID: "8B2F6A10-3C4D-4E5F-8A9B-0C1D2E3F4A11", Title: "Passwords", Modified: Day(90), Tags: []string{"private"}, Encrypted: true},
		{ID: "8B2F6A10-3C4D-4E5F-8A9B-0C1D2E3F4A12", Title: "Old packing list", Modified: Day(1), Tags: []string{"travel"}, Trashed: true,
			Text: "# Old packing list\n\nTent, stove, too many socks.\n"},
	}
}
