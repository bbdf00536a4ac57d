package main

func hostile() {}
