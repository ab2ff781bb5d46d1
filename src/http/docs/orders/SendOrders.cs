using System;
using System.Net.Http;
using System.Net.Http.Json;
using System.Text.Json;
using System.Threading.Tasks;

public static class Orders
{
    private const string Query = @"mutation ($orders: [OrderInput!]!) { upsertOrders(input: { orders: $orders }) {
      created updated unchanged results { outcome errors { pointer message } } userErrors { message } } }";
    private static readonly HttpClient Client = new HttpClient { Timeout = TimeSpan.FromSeconds(30) };

    /// <summary>Sends up to 1,000 orders; once more, they are unchanged.</summary>
    public static async Task<JsonElement> Send(params object[] orders)
    {
        var request = new HttpRequestMessage(HttpMethod.Post, Environment.GetEnvironmentVariable("API_URL") + "/graphql")
        {
            Content = JsonContent.Create(new { query = Query, variables = new { orders } }),
        };
        request.Headers.Add("x-api-key", Environment.GetEnvironmentVariable("API_KEY"));
        using var response = await Client.SendAsync(request);
        var answer = await response.Content.ReadFromJsonAsync<JsonElement>();
        if (answer.TryGetProperty("errors", out var errors)) throw new InvalidOperationException(errors[0].GetProperty("message").GetString());
        return answer.GetProperty("data").GetProperty("upsertOrders");
    }
}
