// Package github has tools over the option and result structs of go-github.
package github

import (
	"context"
	"encoding/json"

	"github.com/google/go-github/v75/github"
)

// S serves GitHub.
//
//jp:server name=github
//jp:foreign github.* reason="GitHub documents its API."
type S struct{}

// Get0 is ReposByUser.
//
//jp:tool
func (S) Get0(ctx context.Context) ([]*github.Repository, error) { return Value0, nil }

// Put0 takes the options of ReposByUser.
//
//jp:tool
func (S) Put0(ctx context.Context, in github.RepositoryListByUserOptions) (string, error) {
	return text(&in)
}

// Value0 is the result of ReposByUser, and Option0 holds its options.
var (
	Value0  []*github.Repository
	Option0 github.RepositoryListByUserOptions
)

// Get1 is ReposByOrg.
//
//jp:tool
func (S) Get1(ctx context.Context) ([]*github.Repository, error) { return Value1, nil }

// Put1 takes the options of ReposByOrg.
//
//jp:tool
func (S) Put1(ctx context.Context, in github.RepositoryListByOrgOptions) (string, error) {
	return text(&in)
}

// Value1 is the result of ReposByOrg, and Option1 holds its options.
var (
	Value1  []*github.Repository
	Option1 github.RepositoryListByOrgOptions
)

// Get2 is Forks.
//
//jp:tool
func (S) Get2(ctx context.Context) (*github.Repository, error) { return Value2, nil }

// Put2 takes the options of Forks.
//
//jp:tool
func (S) Put2(ctx context.Context, in github.RepositoryListForksOptions) (string, error) {
	return text(&in)
}

// Value2 is the result of Forks, and Option2 holds its options.
var (
	Value2  *github.Repository
	Option2 github.RepositoryListForksOptions
)

// Get3 is Issues.
//
//jp:tool
func (S) Get3(ctx context.Context) ([]*github.Issue, error) { return Value3, nil }

// Put3 takes the options of Issues.
//
//jp:tool
func (S) Put3(ctx context.Context, in github.IssueListByRepoOptions) (string, error) {
	return text(&in)
}

// Value3 is the result of Issues, and Option3 holds its options.
var (
	Value3  []*github.Issue
	Option3 github.IssueListByRepoOptions
)

// Get4 is Comments.
//
//jp:tool
func (S) Get4(ctx context.Context) ([]*github.IssueComment, error) { return Value4, nil }

// Put4 takes the options of Comments.
//
//jp:tool
func (S) Put4(ctx context.Context, in github.IssueListCommentsOptions) (string, error) {
	return text(&in)
}

// Value4 is the result of Comments, and Option4 holds its options.
var (
	Value4  []*github.IssueComment
	Option4 github.IssueListCommentsOptions
)

// Get5 is Pulls.
//
//jp:tool
func (S) Get5(ctx context.Context) ([]*github.PullRequest, error) { return Value5, nil }

// Put5 takes the options of Pulls.
//
//jp:tool
func (S) Put5(ctx context.Context, in github.PullRequestListOptions) (string, error) {
	return text(&in)
}

// Value5 is the result of Pulls, and Option5 holds its options.
var (
	Value5  []*github.PullRequest
	Option5 github.PullRequestListOptions
)

// Get6 is PullComments.
//
//jp:tool
func (S) Get6(ctx context.Context) ([]*github.PullRequestComment, error) { return Value6, nil }

// Put6 takes the options of PullComments.
//
//jp:tool
func (S) Put6(ctx context.Context, in github.PullRequestListCommentsOptions) (string, error) {
	return text(&in)
}

// Value6 is the result of PullComments, and Option6 holds its options.
var (
	Value6  []*github.PullRequestComment
	Option6 github.PullRequestListCommentsOptions
)

// Get7 is Commits.
//
//jp:tool
func (S) Get7(ctx context.Context) ([]*github.RepositoryCommit, error) { return Value7, nil }

// Put7 takes the options of Commits.
//
//jp:tool
func (S) Put7(ctx context.Context, in github.CommitsListOptions) (string, error) { return text(&in) }

// Value7 is the result of Commits, and Option7 holds its options.
var (
	Value7  []*github.RepositoryCommit
	Option7 github.CommitsListOptions
)

// Get8 is Branches.
//
//jp:tool
func (S) Get8(ctx context.Context) ([]*github.Branch, error) { return Value8, nil }

// Put8 takes the options of Branches.
//
//jp:tool
func (S) Put8(ctx context.Context, in github.BranchListOptions) (string, error) { return text(&in) }

// Value8 is the result of Branches, and Option8 holds its options.
var (
	Value8  []*github.Branch
	Option8 github.BranchListOptions
)

// Get9 is Tags.
//
//jp:tool
func (S) Get9(ctx context.Context) ([]*github.RepositoryTag, error) { return Value9, nil }

// Put9 takes the options of Tags.
//
//jp:tool
func (S) Put9(ctx context.Context, in github.ListOptions) (string, error) { return text(&in) }

// Value9 is the result of Tags, and Option9 holds its options.
var (
	Value9  []*github.RepositoryTag
	Option9 github.ListOptions
)

// Get10 is Search.
//
//jp:tool
func (S) Get10(ctx context.Context) (*github.IssuesSearchResult, error) { return Value10, nil }

// Put10 takes the options of Search.
//
//jp:tool
func (S) Put10(ctx context.Context, in github.SearchOptions) (string, error) { return text(&in) }

// Value10 is the result of Search, and Option10 holds its options.
var (
	Value10  *github.IssuesSearchResult
	Option10 github.SearchOptions
)

// Get11 is Code.
//
//jp:tool
func (S) Get11(ctx context.Context) (*github.CodeSearchResult, error) { return Value11, nil }

// Put11 takes the options of Code.
//
//jp:tool
func (S) Put11(ctx context.Context, in github.SearchOptions) (string, error) { return text(&in) }

// Value11 is the result of Code, and Option11 holds its options.
var (
	Value11  *github.CodeSearchResult
	Option11 github.SearchOptions
)

// Get12 is Contributors.
//
//jp:tool
func (S) Get12(ctx context.Context) ([]*github.Contributor, error) { return Value12, nil }

// Put12 takes the options of Contributors.
//
//jp:tool
func (S) Put12(ctx context.Context, in github.ListContributorsOptions) (string, error) {
	return text(&in)
}

// Value12 is the result of Contributors, and Option12 holds its options.
var (
	Value12  []*github.Contributor
	Option12 github.ListContributorsOptions
)

// Get13 is Collaborators.
//
//jp:tool
func (S) Get13(ctx context.Context) ([]*github.User, error) { return Value13, nil }

// Put13 takes the options of Collaborators.
//
//jp:tool
func (S) Put13(ctx context.Context, in github.ListCollaboratorsOptions) (string, error) {
	return text(&in)
}

// Value13 is the result of Collaborators, and Option13 holds its options.
var (
	Value13  []*github.User
	Option13 github.ListCollaboratorsOptions
)

// Get14 is Members.
//
//jp:tool
func (S) Get14(ctx context.Context) ([]*github.User, error) { return Value14, nil }

// Put14 takes the options of Members.
//
//jp:tool
func (S) Put14(ctx context.Context, in github.ListMembersOptions) (string, error) { return text(&in) }

// Value14 is the result of Members, and Option14 holds its options.
var (
	Value14  []*github.User
	Option14 github.ListMembersOptions
)

// Get15 is Gists.
//
//jp:tool
func (S) Get15(ctx context.Context) ([]*github.Gist, error) { return Value15, nil }

// Put15 takes the options of Gists.
//
//jp:tool
func (S) Put15(ctx context.Context, in github.GistListOptions) (string, error) { return text(&in) }

// Value15 is the result of Gists, and Option15 holds its options.
var (
	Value15  []*github.Gist
	Option15 github.GistListOptions
)

// Get16 is CreateIssue.
//
//jp:tool
func (S) Get16(ctx context.Context) (*github.Issue, error) { return Value16, nil }

// Put16 takes the options of CreateIssue.
//
//jp:tool
func (S) Put16(ctx context.Context, in github.IssueRequest) (string, error) { return text(&in) }

// Value16 is the result of CreateIssue, and Option16 holds its options.
var (
	Value16  *github.Issue
	Option16 github.IssueRequest
)

// Get17 is CreatePull.
//
//jp:tool
func (S) Get17(ctx context.Context) (*github.PullRequest, error) { return Value17, nil }

// Put17 takes the options of CreatePull.
//
//jp:tool
func (S) Put17(ctx context.Context, in github.NewPullRequest) (string, error) { return text(&in) }

// Value17 is the result of CreatePull, and Option17 holds its options.
var (
	Value17  *github.PullRequest
	Option17 github.NewPullRequest
)

// Get18 is AddComment.
//
//jp:tool
func (S) Get18(ctx context.Context) (*github.IssueComment, error) { return Value18, nil }

// Put18 takes the options of AddComment.
//
//jp:tool
func (S) Put18(ctx context.Context, in github.IssueComment) (string, error) { return text(&in) }

// Value18 is the result of AddComment, and Option18 holds its options.
var (
	Value18  *github.IssueComment
	Option18 github.IssueComment
)

// Get19 is Runs.
//
//jp:tool
func (S) Get19(ctx context.Context) (*github.WorkflowRuns, error) { return Value19, nil }

// Put19 takes the options of Runs.
//
//jp:tool
func (S) Put19(ctx context.Context, in github.ListWorkflowRunsOptions) (string, error) {
	return text(&in)
}

// Value19 is the result of Runs, and Option19 holds its options.
var (
	Value19  *github.WorkflowRuns
	Option19 github.ListWorkflowRunsOptions
)

// Get20 is Checks.
//
//jp:tool
func (S) Get20(ctx context.Context) (*github.ListCheckRunsResults, error) { return Value20, nil }

// Put20 takes the options of Checks.
//
//jp:tool
func (S) Put20(ctx context.Context, in github.ListCheckRunsOptions) (string, error) { return text(&in) }

// Value20 is the result of Checks, and Option20 holds its options.
var (
	Value20  *github.ListCheckRunsResults
	Option20 github.ListCheckRunsOptions
)

// Get21 is Milestones.
//
//jp:tool
func (S) Get21(ctx context.Context) ([]*github.Milestone, error) { return Value21, nil }

// Put21 takes the options of Milestones.
//
//jp:tool
func (S) Put21(ctx context.Context, in github.MilestoneListOptions) (string, error) { return text(&in) }

// Value21 is the result of Milestones, and Option21 holds its options.
var (
	Value21  []*github.Milestone
	Option21 github.MilestoneListOptions
)

// Get22 is Deployments.
//
//jp:tool
func (S) Get22(ctx context.Context) ([]*github.Deployment, error) { return Value22, nil }

// Put22 takes the options of Deployments.
//
//jp:tool
func (S) Put22(ctx context.Context, in github.DeploymentsListOptions) (string, error) {
	return text(&in)
}

// Value22 is the result of Deployments, and Option22 holds its options.
var (
	Value22  []*github.Deployment
	Option22 github.DeploymentsListOptions
)

// Get23 is Starred.
//
//jp:tool
func (S) Get23(ctx context.Context) ([]*github.StarredRepository, error) { return Value23, nil }

// Put23 takes the options of Starred.
//
//jp:tool
func (S) Put23(ctx context.Context, in github.ActivityListStarredOptions) (string, error) {
	return text(&in)
}

// Value23 is the result of Starred, and Option23 holds its options.
var (
	Value23  []*github.StarredRepository
	Option23 github.ActivityListStarredOptions
)

// Get24 is Content.
//
//jp:tool
func (S) Get24(ctx context.Context) (*github.RepositoryContent, error) { return Value24, nil }

// Put24 takes the options of Content.
//
//jp:tool
func (S) Put24(ctx context.Context, in github.RepositoryContentGetOptions) (string, error) {
	return text(&in)
}

// Value24 is the result of Content, and Option24 holds its options.
var (
	Value24  *github.RepositoryContent
	Option24 github.RepositoryContentGetOptions
)

// Get25 is Notifications.
//
//jp:tool
func (S) Get25(ctx context.Context) ([]*github.Notification, error) { return Value25, nil }

// Put25 takes the options of Notifications.
//
//jp:tool
func (S) Put25(ctx context.Context, in github.NotificationListOptions) (string, error) {
	return text(&in)
}

// Value25 is the result of Notifications, and Option25 holds its options.
var (
	Value25  []*github.Notification
	Option25 github.NotificationListOptions
)

// Get26 is Users.
//
//jp:tool
func (S) Get26(ctx context.Context) ([]*github.User, error) { return Value26, nil }

// Put26 takes the options of Users.
//
//jp:tool
func (S) Put26(ctx context.Context, in github.UserListOptions) (string, error) { return text(&in) }

// Value26 is the result of Users, and Option26 holds its options.
var (
	Value26  []*github.User
	Option26 github.UserListOptions
)

// Get27 is Alerts.
//
//jp:tool
func (S) Get27(ctx context.Context) ([]*github.Alert, error) { return Value27, nil }

// Put27 takes the options of Alerts.
//
//jp:tool
func (S) Put27(ctx context.Context, in github.AlertListOptions) (string, error) { return text(&in) }

// Value27 is the result of Alerts, and Option27 holds its options.
var (
	Value27  []*github.Alert
	Option27 github.AlertListOptions
)

// Get28 is SecretAlerts.
//
//jp:tool
func (S) Get28(ctx context.Context) ([]*github.SecretScanningAlert, error) { return Value28, nil }

// Put28 takes the options of SecretAlerts.
//
//jp:tool
func (S) Put28(ctx context.Context, in github.SecretScanningAlertListOptions) (string, error) {
	return text(&in)
}

// Value28 is the result of SecretAlerts, and Option28 holds its options.
var (
	Value28  []*github.SecretScanningAlert
	Option28 github.SecretScanningAlertListOptions
)

// Get29 is Orgs.
//
//jp:tool
func (S) Get29(ctx context.Context) ([]*github.Organization, error) { return Value29, nil }

// Put29 takes the options of Orgs.
//
//jp:tool
func (S) Put29(ctx context.Context, in github.OrganizationsListOptions) (string, error) {
	return text(&in)
}

// Value29 is the result of Orgs, and Option29 holds its options.
var (
	Value29  []*github.Organization
	Option29 github.OrganizationsListOptions
)

// Get30 is Views.
//
//jp:tool
func (S) Get30(ctx context.Context) (*github.TrafficViews, error) { return Value30, nil }

// Put30 takes the options of Views.
//
//jp:tool
func (S) Put30(ctx context.Context, in github.TrafficBreakdownOptions) (string, error) {
	return text(&in)
}

// Value30 is the result of Views, and Option30 holds its options.
var (
	Value30  *github.TrafficViews
	Option30 github.TrafficBreakdownOptions
)

// Get31 is Packages.
//
//jp:tool
func (S) Get31(ctx context.Context) ([]*github.Package, error) { return Value31, nil }

// Put31 takes the options of Packages.
//
//jp:tool
func (S) Put31(ctx context.Context, in github.PackageListOptions) (string, error) { return text(&in) }

// Value31 is the result of Packages, and Option31 holds its options.
var (
	Value31  []*github.Package
	Option31 github.PackageListOptions
)

// Get32 is CreateHook.
//
//jp:tool
func (S) Get32(ctx context.Context) (*github.Hook, error) { return Value32, nil }

// Put32 takes the options of CreateHook.
//
//jp:tool
func (S) Put32(ctx context.Context, in github.Hook) (string, error) { return text(&in) }

// Value32 is the result of CreateHook, and Option32 holds its options.
var (
	Value32  *github.Hook
	Option32 github.Hook
)

// Get33 is CreateRelease.
//
//jp:tool
func (S) Get33(ctx context.Context) (*github.RepositoryRelease, error) { return Value33, nil }

// Put33 takes the options of CreateRelease.
//
//jp:tool
func (S) Put33(ctx context.Context, in github.RepositoryRelease) (string, error) { return text(&in) }

// Value33 is the result of CreateRelease, and Option33 holds its options.
var (
	Value33  *github.RepositoryRelease
	Option33 github.RepositoryRelease
)

// Get34 is CreateLabel.
//
//jp:tool
func (S) Get34(ctx context.Context) (*github.Label, error) { return Value34, nil }

// Put34 takes the options of CreateLabel.
//
//jp:tool
func (S) Put34(ctx context.Context, in github.Label) (string, error) { return text(&in) }

// Value34 is the result of CreateLabel, and Option34 holds its options.
var (
	Value34  *github.Label
	Option34 github.Label
)

// Get35 is Events.
//
//jp:tool
func (S) Get35(ctx context.Context) ([]*github.Event, error) { return Value35, nil }

// Put35 takes the options of Events.
//
//jp:tool
func (S) Put35(ctx context.Context, in github.ListOptions) (string, error) { return text(&in) }

// Value35 is the result of Events, and Option35 holds its options.
var (
	Value35  []*github.Event
	Option35 github.ListOptions
)

// Get36 is CreateTeam.
//
//jp:tool
func (S) Get36(ctx context.Context) (*github.Team, error) { return Value36, nil }

// Put36 takes the options of CreateTeam.
//
//jp:tool
func (S) Put36(ctx context.Context, in github.NewTeam) (string, error) { return text(&in) }

// Value36 is the result of CreateTeam, and Option36 holds its options.
var (
	Value36  *github.Team
	Option36 github.NewTeam
)

// Get37 is CreateTree.
//
//jp:tool
func (S) Get37(ctx context.Context) (*github.Tree, error) { return Value37, nil }

// Put37 takes the options of CreateTree.
//
//jp:tool
func (S) Put37(ctx context.Context, in github.Tree) (string, error) { return text(&in) }

// Value37 is the result of CreateTree, and Option37 holds its options.
var (
	Value37  *github.Tree
	Option37 github.Tree
)

// Get38 is CreateBlob.
//
//jp:tool
func (S) Get38(ctx context.Context) (*github.Blob, error) { return Value38, nil }

// Put38 takes the options of CreateBlob.
//
//jp:tool
func (S) Put38(ctx context.Context, in github.Blob) (string, error) { return text(&in) }

// Value38 is the result of CreateBlob, and Option38 holds its options.
var (
	Value38  *github.Blob
	Option38 github.Blob
)

// Get39 is Merge.
//
//jp:tool
func (S) Get39(ctx context.Context) (*github.PullRequestMergeResult, error) { return Value39, nil }

// Put39 takes the options of Merge.
//
//jp:tool
func (S) Put39(ctx context.Context, in github.PullRequestOptions) (string, error) { return text(&in) }

// Value39 is the result of Merge, and Option39 holds its options.
var (
	Value39  *github.PullRequestMergeResult
	Option39 github.PullRequestOptions
)

// Get40 is Invite.
//
//jp:tool
func (S) Get40(ctx context.Context) (*github.Invitation, error) { return Value40, nil }

// Put40 takes the options of Invite.
//
//jp:tool
func (S) Put40(ctx context.Context, in github.CreateOrgInvitationOptions) (string, error) {
	return text(&in)
}

// Value40 is the result of Invite, and Option40 holds its options.
var (
	Value40  *github.Invitation
	Option40 github.CreateOrgInvitationOptions
)

func text(v any) (string, error) {
	data, err := json.Marshal(v)
	return string(data), err
}

// Each calls f with the number, the result and the options of each tool.
func Each(f func(n int, value, option any)) {
	f(0, &Value0, &Option0)
	f(1, &Value1, &Option1)
	f(2, &Value2, &Option2)
	f(3, &Value3, &Option3)
	f(4, &Value4, &Option4)
	f(5, &Value5, &Option5)
	f(6, &Value6, &Option6)
	f(7, &Value7, &Option7)
	f(8, &Value8, &Option8)
	f(9, &Value9, &Option9)
	f(10, &Value10, &Option10)
	f(11, &Value11, &Option11)
	f(12, &Value12, &Option12)
	f(13, &Value13, &Option13)
	f(14, &Value14, &Option14)
	f(15, &Value15, &Option15)
	f(16, &Value16, &Option16)
	f(17, &Value17, &Option17)
	f(18, &Value18, &Option18)
	f(19, &Value19, &Option19)
	f(20, &Value20, &Option20)
	f(21, &Value21, &Option21)
	f(22, &Value22, &Option22)
	f(23, &Value23, &Option23)
	f(24, &Value24, &Option24)
	f(25, &Value25, &Option25)
	f(26, &Value26, &Option26)
	f(27, &Value27, &Option27)
	f(28, &Value28, &Option28)
	f(29, &Value29, &Option29)
	f(30, &Value30, &Option30)
	f(31, &Value31, &Option31)
	f(32, &Value32, &Option32)
	f(33, &Value33, &Option33)
	f(34, &Value34, &Option34)
	f(35, &Value35, &Option35)
	f(36, &Value36, &Option36)
	f(37, &Value37, &Option37)
	f(38, &Value38, &Option38)
	f(39, &Value39, &Option39)
	f(40, &Value40, &Option40)
}
